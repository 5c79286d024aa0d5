/** web/src/app/sound.ts: an engine whose pitch follows a speed, and short tones. Silent until it is switched on. */

export class Sound {
  private context: AudioContext | null = null;
  private engine: { tone: OscillatorNode; second: OscillatorNode; filter: BiquadFilterNode; gain: GainNode } | null = null;
  private wanted = false;

  get on(): boolean {
    return this.wanted;
  }

  set(on: boolean): void {
    this.wanted = on;
    if (on) this.start();
    else void this.context?.suspend();
  }

  /** 0 stands, 1 is full speed. */
  run(part: number): void {
    if (!this.wanted || !this.engine || !this.context) return;
    const at = this.context.currentTime;
    const { tone, second, filter, gain } = this.engine;
    const pitch = 46 + 64 * part;
    tone.frequency.setTargetAtTime(pitch, at, 0.15);
    second.frequency.setTargetAtTime(pitch * 1.505, at, 0.15);
    filter.frequency.setTargetAtTime(180 + 900 * part, at, 0.15);
    gain.gain.setTargetAtTime(0.015 + 0.05 * part, at, 0.2);
  }

  /** A short tone that falls: shots and hits. */
  blip(pitch: number, seconds = 0.12): void {
    if (!this.wanted || !this.context) return;
    const at = this.context.currentTime;
    const tone = new OscillatorNode(this.context, { type: "triangle", frequency: pitch });
    const gain = new GainNode(this.context, { gain: 0.06 });
    tone.frequency.exponentialRampToValueAtTime(pitch / 3, at + seconds);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(gain).connect(this.context.destination);
    tone.start();
    tone.stop(at + seconds);
  }

  private start(): void {
    this.context ??= new AudioContext();
    void this.context.resume();
    if (this.engine) return;
    const tone = new OscillatorNode(this.context, { type: "sawtooth", frequency: 50 });
    const second = new OscillatorNode(this.context, { type: "square", frequency: 75 });
    const filter = new BiquadFilterNode(this.context, { type: "lowpass", frequency: 300 });
    const gain = new GainNode(this.context, { gain: 0 });
    tone.connect(filter);
    second.connect(filter);
    filter.connect(gain).connect(this.context.destination);
    tone.start();
    second.start();
    this.engine = { tone, second, filter, gain };
  }
}
