const sampleRate = 44100;

/** Chords as semitones from A3, with the same number of seconds each. */
export interface Score {
  seconds: number;
  chordSeconds: number;
  chords: number[][];
  /** Plucked notes per chord. */
  plucks: number;
  air: 'surf' | 'embers';
}

const toHertz = (semitone: number): number => 220 * 2 ** (semitone / 12);

function addPad(samples: Float64Array, chord: number[], startSeconds: number, seconds: number): void {
  const riseSeconds = 1.6;
  const start = Math.floor(startSeconds * sampleRate);
  const end = Math.min(samples.length, Math.floor((startSeconds + seconds + riseSeconds) * sampleRate));
  for (let i = start; i < end; i++) {
    const t = (i - start) / sampleRate;
    const level = Math.min(1, t / riseSeconds, (seconds + riseSeconds - t) / riseSeconds);
    let sum = 0;
    for (const note of chord) {
      const phase = 2 * Math.PI * toHertz(note - 12) * t;
      sum += Math.sin(phase) + 0.5 * Math.sin(phase * 1.003) + 0.22 * Math.sin(phase * 2);
    }
    samples[i] = (samples[i] ?? 0) + (sum / chord.length) * level * level * 0.16;
  }
}

function addPluck(samples: Float64Array, note: number, startSeconds: number, level: number): void {
  const start = Math.floor(startSeconds * sampleRate);
  const end = Math.min(samples.length, start + sampleRate * 3);
  const pitch = toHertz(note);
  for (let i = start; i < end; i++) {
    const t = (i - start) / sampleRate;
    const decay = Math.exp(-t * 2.2) * Math.min(1, t * 180);
    const phase = 2 * Math.PI * pitch * t;
    samples[i] =
      (samples[i] ?? 0) +
      decay *
        level *
        (Math.sin(phase) + 0.35 * Math.sin(phase * 2) * Math.exp(-t * 4) + 0.15 * Math.sin(phase * 3.01) * Math.exp(-t * 7));
  }
}

/** Adds surf that swells every six seconds, or crackling embers. The noise is deterministic. */
function addAir(samples: Float64Array, air: Score['air']): void {
  let state = 22695477;
  let filteredNoise = 0;
  let crackle = 0;
  for (let i = 0; i < samples.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const noise = state / 2147483648;
    if (air === 'surf') {
      const swell = 0.5 + 0.5 * Math.sin((i / sampleRate) * ((2 * Math.PI) / 6.4) - 1);
      filteredNoise += (noise - filteredNoise) * (0.03 + 0.08 * swell);
      samples[i] = (samples[i] ?? 0) + filteredNoise * (0.05 + 0.2 * swell * swell);
    } else {
      if (noise > 0.99996) crackle = 0.25;
      crackle *= 0.996;
      filteredNoise += (noise - filteredNoise) * 0.02;
      samples[i] = (samples[i] ?? 0) + filteredNoise * 0.05 + noise * crackle * 0.2;
    }
  }
}

function addEcho(samples: Float64Array): void {
  for (const [delay, share] of [
    [0.311, 0.28],
    [0.467, 0.2],
  ] as const) {
    const delaySamples = Math.floor(delay * sampleRate);
    for (let i = delaySamples; i < samples.length; i++) samples[i] = (samples[i] ?? 0) + (samples[i - delaySamples] ?? 0) * share;
  }
}

/** The score as a WAV file, 16-bit mono 44.1 kHz, faded in and out. */
export function renderScore({ seconds, chordSeconds, chords, plucks, air }: Score): Buffer {
  const samples = new Float64Array(Math.ceil(seconds * sampleRate));
  for (let time = 0, chordIndex = 0; time < seconds; time += chordSeconds, chordIndex++) {
    const chord = chords[chordIndex % chords.length] ?? [];
    addPad(samples, chord, time, chordSeconds);
    for (let i = 0; i < plucks; i++) {
      const note = (chord[(i * 2 + chordIndex) % chord.length] ?? 0) + (i % 3 === 2 ? 12 : 0);
      addPluck(samples, note, time + (i * chordSeconds) / plucks, i % plucks === 0 ? 0.17 : 0.11);
    }
  }
  addEcho(samples);
  addAir(samples, air);
  const wav = Buffer.alloc(44 + samples.length * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + samples.length * 2, 4);
  wav.write('WAVEfmt ', 8);
  [16, 0x10001, sampleRate, sampleRate * 2, 0x100002].forEach((value, i) => wav.writeUInt32LE(value, 16 + i * 4));
  wav.write('data', 36);
  wav.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((value, i) => {
    const t = i / sampleRate;
    const fade = Math.min(1, t / 1.5, (seconds - t) / 2.5);
    wav.writeInt16LE(Math.round(Math.tanh(value * 1.3) * Math.max(0, fade) * 30000), 44 + i * 2);
  });
  return wav;
}
