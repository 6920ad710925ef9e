/** Returns a WAV file with a quiet hum of that many seconds: 8-bit samples, 8 kHz, mono. */
export function createWav(seconds: number): Buffer {
  const samples = Buffer.from(Array.from({ length: seconds * 8000 }, (_, nth) => 128 + Math.round(4 * Math.sin(nth / 6))));
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
