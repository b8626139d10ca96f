<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.2" name="tiles" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="../pictures/tiles.png" width="128" height="16"/>
 <tile id="0">
  <properties>
   <property name="surface" value="grass"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16"/>
  </objectgroup>
 </tile>
 <tile id="1">
  <properties>
   <property name="surface" value="earth"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16"/>
  </objectgroup>
 </tile>
 <tile id="2">
  <properties>
   <property name="surface" value="stone"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16"/>
  </objectgroup>
 </tile>
 <tile id="3">
  <properties>
   <property name="surface" value="wood"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" type="one_way" x="0" y="0">
    <polyline points="0,0 16,0"/>
   </object>
  </objectgroup>
 </tile>
</tileset>
