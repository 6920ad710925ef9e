/** WAV with a quiet hum of the given seconds: 8-bit samples, 8 kHz, mono. */
export function createWav(seconds: number): Buffer {
  const samples = Buffer.from(Array.from({ length: seconds * 8000 }, (_, nth) => 128 + Math.round(4 * Math.sin(nth / 6))));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
