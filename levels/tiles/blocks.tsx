<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.2" name="blocks" tilewidth="16" tileheight="16" tilecount="9" columns="9">
 <image source="blocks.png" width="144" height="16"/>
 <tile id="0">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16"/>
  </objectgroup>
 </tile>
 <tile id="1">
  <properties>
   <property name="surface" value="grass"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="16">
    <polygon points="0,0 16,-8 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="2">
  <properties>
   <property name="surface" value="grass"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="16">
    <polygon points="0,0 0,-8 16,-16 16,0"/>
   </object>
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
 <tile id="4">
  <properties>
   <property name="surface" value="ice"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16"/>
  </objectgroup>
 </tile>
 <tile id="5">
  <properties>
   <property name="surface" value="grass"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16"/>
  </objectgroup>
 </tile>
 <tile id="7" type="coin">
 </tile>
 <tile id="8">
  <properties>
   <property name="surface" value="brick"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16"/>
  </objectgroup>
 </tile>
</tileset>
