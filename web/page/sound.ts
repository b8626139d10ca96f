// What is heard: sounds as the engine orders them, and music in a loop.

import type { Heard, SoundData } from "./protocol.js";

/** The most sounds that play at the same time. Further ones are not played. */
const MOST_PLAYING = 48;

/** How long the music takes to another volume, s: a jump would click. */
const FADE = 0.03;

interface Music {
  sound: number;
  pitch: number;
  source: AudioBufferSourceNode;
  gain: GainNode;
  /** When it would have begun at its first sample, by the clock of the device. */
  began: number;
}

export class Speakers {
  /** There is none before the first click or key: browsers allow no sound before. */
  private device: AudioContext | null = null;
  private out: GainNode | null = null;
  private data = new Map<number, SoundData>();
  private buffers = new Map<number, Promise<AudioBuffer | null>>();
  private playing = 0;
  private music: Music | null = null;
  /** Where music was when it stopped, s. */
  private rests: { sound: number; at: number } | null = null;
  private wanted: Heard["music"] = null;
  private silent = false;
  /** How many sounds were started. */
  started = 0;

  /** The page may make sounds from the first click or key on. */
  constructor() {
    const open = () => {
      for (const name of ["pointerdown", "keydown"]) removeEventListener(name, open, true);
      this.open();
    };
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, open, true);
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) void this.device?.suspend();
      else void this.device?.resume();
    });
  }

  private open(): void {
    try {
      this.device = new AudioContext({ latencyHint: "interactive" });
    } catch {
      return; // Without a device, the game is silent.
    }
    this.out = this.device.createGain();
    this.out.gain.value = Number(!this.silent);
    this.out.connect(this.device.destination);
    void this.playMusic();
  }

  get muted(): boolean {
    return this.silent;
  }

  set muted(muted: boolean) {
    this.silent = muted;
    if (this.out) this.out.gain.value = Number(!muted);
  }

  /** 0 while it is muted, and before there is a device; otherwise 1. */
  get volume(): number {
    return this.out?.gain.value ?? 0;
  }

  /** Whether music plays. */
  get musicPlays(): boolean {
    return this.music !== null;
  }

  /** The game stops, and the next engine counts its sounds from the beginning. */
  forget(): void {
    this.data.clear();
    this.buffers.clear();
    this.hear({ sounds: [], music: null });
  }

  /** Takes the samples of a sound, which come once. */
  learn(sounds: SoundData[]): void {
    for (const sound of sounds) {
      this.data.set(sound.number, sound);
      this.buffers.delete(sound.number);
    }
  }

  /** Plays what is heard of a frame. */
  hear({ sounds, music }: Heard): void {
    for (const sound of sounds) void this.play(sound);
    if (JSON.stringify(music) === JSON.stringify(this.wanted)) return;
    this.wanted = music;
    void this.playMusic();
  }

  private buffer(number: number): Promise<AudioBuffer | null> {
    const known = this.buffers.get(number);
    if (known) return known;
    const made = this.decode(this.data.get(number)).catch(() => null);
    this.buffers.set(number, made);
    return made;
  }

  private async decode(data: SoundData | undefined): Promise<AudioBuffer | null> {
    if (!data || !this.device) return null;
    // Decoding takes the bytes away.
    if (data.ogg.length > 0) return this.device.decodeAudioData(data.ogg.slice().buffer as ArrayBuffer);
    const all = new Float32Array(data.samples.slice().buffer);
    const frames = all.length / data.channels;
    const buffer = this.device.createBuffer(data.channels, frames, data.rate);
    for (let channel = 0; channel < data.channels; channel += 1) {
      const samples = buffer.getChannelData(channel);
      for (let i = 0; i < frames; i += 1) samples[i] = all[i * data.channels + channel];
    }
    return buffer;
  }

  private async play([number, left, right, pitch]: Heard["sounds"][number]): Promise<void> {
    if (!this.device || this.playing >= MOST_PLAYING || document.hidden) return;
    const buffer = await this.buffer(number);
    if (!buffer) return;
    const source = new AudioBufferSourceNode(this.device, { buffer, playbackRate: pitch });
    const split = new ChannelSplitterNode(this.device, { numberOfOutputs: 2 });
    const join = new ChannelMergerNode(this.device, { numberOfInputs: 2 });
    source.connect(split);
    [left, right].forEach((volume, side) => {
      const gain = new GainNode(this.device!, { gain: volume });
      split.connect(gain, buffer.numberOfChannels === 1 ? 0 : side).connect(join, 0, side);
    });
    join.connect(this.out!);
    this.playing += 1;
    source.onended = () => {
      this.playing -= 1;
      join.disconnect();
    };
    source.start();
    this.started += 1;
  }

  private async playMusic(): Promise<void> {
    const { device, wanted } = this;
    if (!device) return;
    const fits = this.music && wanted && this.music.sound === wanted[0] && this.music.pitch === wanted[2];
    if (fits) {
      this.music!.gain.gain.setTargetAtTime(wanted[1], device.currentTime, FADE);
      return;
    }
    this.stopMusic(device);
    if (!wanted) return;
    const [sound, volume, pitch] = wanted;
    const buffer = await this.buffer(sound);
    // Something else may be wanted by now.
    if (!buffer || this.music || this.wanted !== wanted) return;
    const source = new AudioBufferSourceNode(device, { buffer, playbackRate: pitch, loop: true });
    const gain = new GainNode(device, { gain: 0 });
    gain.gain.setTargetAtTime(volume, device.currentTime, FADE);
    source.connect(gain).connect(this.out!);
    const at = this.rests?.sound === sound ? this.rests.at % buffer.duration : 0;
    source.start(0, at);
    this.music = { sound, pitch, source, gain, began: device.currentTime - at / pitch };
  }

  private stopMusic(device: AudioContext): void {
    if (!this.music) return;
    const { sound, pitch, source, gain, began } = this.music;
    this.rests = { sound, at: (device.currentTime - began) * pitch };
    gain.gain.setTargetAtTime(0, device.currentTime, FADE);
    source.stop(device.currentTime + 5 * FADE);
    source.onended = () => gain.disconnect();
    this.music = null;
  }
}
