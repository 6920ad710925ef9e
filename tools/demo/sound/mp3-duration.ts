const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesV2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const rates: Record<number, number[]> = {
  3: [44100, 48000, 32000],
  2: [22050, 24000, 16000],
  0: [11025, 12000, 8000],
};

interface Frame {
  bytes: number;
  seconds: number;
}

/** The MPEG layer III frame at `offset` (ISO 11172-3, 13818-3); null without a frame there. */
function readFrame(data: Uint8Array, offset: number): Frame | null {
  const [b0 = 0, b1 = 0, b2 = 0] = data.subarray(offset, offset + 3);
  if (b0 !== 0xff || (b1 & 0xe6) !== 0xe2) return null;
  const version = (b1 >> 3) & 3;
  const rate = rates[version]?.[(b2 >> 2) & 3];
  const kilobits = (version === 3 ? bitrates : bitratesV2)[b2 >> 4];
  if (!rate || !kilobits) return null;
  const samples = version === 3 ? 1152 : 576;
  return { bytes: Math.floor((samples * kilobits * 125) / rate) + ((b2 >> 1) & 1), seconds: samples / rate };
}

const getId3Bytes = (data: Uint8Array): number => {
  if (String.fromCharCode(...data.subarray(0, 3)) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = data.subarray(6, 10);
  return 10 + (a << 21) + (b << 14) + (c << 7) + d;
};

/**
 * The duration of an MP3 in seconds, by counting its frames; a leading Xing or Info frame has no
 * audio.
 */
export function computeMp3Duration(data: Uint8Array): number {
  let offset = getId3Bytes(data);
  let seconds = 0;
  for (let frame = readFrame(data, offset); frame; frame = readFrame(data, offset)) {
    const header = Buffer.from(data.subarray(offset, offset + 64)).toString('latin1');
    if (!/Xing|Info/.test(header)) seconds += frame.seconds;
    offset += frame.bytes;
  }
  return seconds;
}
