const rate = 44100;

/** Chords as semitones from A3, with the same number of seconds each. */
export interface Score {
  seconds: number;
  chordSeconds: number;
  chords: number[][];
  /** Plucked notes per chord. */
  plucks: number;
  air: 'surf' | 'embers';
}

const hertz = (semitone: number): number => 220 * 2 ** (semitone / 12);

function addPad(out: Float64Array, chord: number[], from: number, seconds: number): void {
  const rise = 1.6;
  const start = Math.floor(from * rate);
  const end = Math.min(out.length, Math.floor((from + seconds + rise) * rate));
  for (let i = start; i < end; i++) {
    const t = (i - start) / rate;
    const level = Math.min(1, t / rise, (seconds + rise - t) / rise);
    let sum = 0;
    for (const note of chord) {
      const phase = 2 * Math.PI * hertz(note - 12) * t;
      sum += Math.sin(phase) + 0.5 * Math.sin(phase * 1.003) + 0.22 * Math.sin(phase * 2);
    }
    out[i] = (out[i] ?? 0) + (sum / chord.length) * level * level * 0.16;
  }
}

function addPluck(out: Float64Array, note: number, from: number, level: number): void {
  const start = Math.floor(from * rate);
  const end = Math.min(out.length, start + rate * 3);
  const pitch = hertz(note);
  for (let i = start; i < end; i++) {
    const t = (i - start) / rate;
    const decay = Math.exp(-t * 2.2) * Math.min(1, t * 180);
    const phase = 2 * Math.PI * pitch * t;
    out[i] =
      (out[i] ?? 0) +
      decay *
        level *
        (Math.sin(phase) + 0.35 * Math.sin(phase * 2) * Math.exp(-t * 4) + 0.15 * Math.sin(phase * 3.01) * Math.exp(-t * 7));
  }
}

/** Surf swells every six seconds; embers crackle at times. The noise is deterministic. */
function addAir(out: Float64Array, air: Score['air']): void {
  let state = 22695477;
  let soft = 0;
  let tick = 0;
  for (let i = 0; i < out.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const noise = state / 2147483648;
    if (air === 'surf') {
      const swell = 0.5 + 0.5 * Math.sin((i / rate) * ((2 * Math.PI) / 6.4) - 1);
      soft += (noise - soft) * (0.03 + 0.08 * swell);
      out[i] = (out[i] ?? 0) + soft * (0.05 + 0.2 * swell * swell);
    } else {
      if (noise > 0.99996) tick = 0.25;
      tick *= 0.996;
      soft += (noise - soft) * 0.02;
      out[i] = (out[i] ?? 0) + soft * 0.05 + noise * tick * 0.2;
    }
  }
}

function echo(out: Float64Array): void {
  for (const [delay, share] of [
    [0.311, 0.28],
    [0.467, 0.2],
  ] as const) {
    const back = Math.floor(delay * rate);
    for (let i = back; i < out.length; i++) out[i] = (out[i] ?? 0) + (out[i - back] ?? 0) * share;
  }
}

/** The score as a WAV file, 16-bit mono 44.1 kHz, faded in and out. */
export function scoreWav({ seconds, chordSeconds, chords, plucks, air }: Score): Buffer {
  const out = new Float64Array(Math.ceil(seconds * rate));
  for (let at = 0, turn = 0; at < seconds; at += chordSeconds, turn++) {
    const chord = chords[turn % chords.length] ?? [];
    addPad(out, chord, at, chordSeconds);
    for (let i = 0; i < plucks; i++) {
      const note = (chord[(i * 2 + turn) % chord.length] ?? 0) + (i % 3 === 2 ? 12 : 0);
      addPluck(out, note, at + (i * chordSeconds) / plucks, i % plucks === 0 ? 0.17 : 0.11);
    }
  }
  echo(out);
  addAir(out, air);
  const wav = Buffer.alloc(44 + out.length * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + out.length * 2, 4);
  wav.write('WAVEfmt ', 8);
  [16, 0x10001, rate, rate * 2, 0x100002].forEach((value, i) => wav.writeUInt32LE(value, 16 + i * 4));
  wav.write('data', 36);
  wav.writeUInt32LE(out.length * 2, 40);
  out.forEach((value, i) => {
    const t = i / rate;
    const fade = Math.min(1, t / 1.5, (seconds - t) / 2.5);
    wav.writeInt16LE(Math.round(Math.tanh(value * 1.3) * Math.max(0, fade) * 30000), 44 + i * 2);
  });
  return wav;
}
