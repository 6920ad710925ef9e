import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Voice {
  /** An espeak-ng voice, with its variant. */
  name: string;
  wordsPerMinute: number;
  pitch: number;
}

export interface Recording {
  text: string;
  voice: Voice;
  tags: { title: string; artist: string; album: string; track: string; date: string; language: string };
  /** Cut with a fade-out after this many seconds. */
  seconds?: number;
}

/**
 * Filters of ffmpeg that remove the buzz of the synthetic voice, add the reverb of a small room,
 * and normalise the loudness (EBU R 128).
 */
const audioFilter =
  'highpass=f=70,lowpass=f=8500,equalizer=f=3200:t=q:w=1.2:g=-3,aecho=0.9:0.5:28|47:0.12|0.07,adelay=500,apad=pad_dur=1,loudnorm=I=-18:TP=-2:LRA=9';

/** Synthesises the text into a mono MP3, 24 kHz, 48 kbit/s, with ID3 tags. */
export function recordSpeech({ text, voice, tags, seconds }: Recording): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-speech-'));
  try {
    const [textPath, wavPath, mp3Path] = ['words.txt', 'speech.wav', 'speech.mp3'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(textPath, text);
    execFileSync('espeak-ng', [
      '-v',
      voice.name,
      '-s',
      String(voice.wordsPerMinute),
      '-p',
      String(voice.pitch),
      '-g',
      '2',
      '-f',
      textPath,
      '-w',
      wavPath,
    ]);
    const fadeOut = seconds ? `,atrim=0:${seconds},afade=t=out:st=${seconds - 2}:d=2` : '';
    const metadataArgs = Object.entries(tags).flatMap(([key, value]) => ['-metadata', `${key}=${value}`]);
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      wavPath,
      '-af',
      audioFilter + fadeOut,
      '-ac',
      '1',
      '-ar',
      '24000',
      '-c:a',
      'libmp3lame',
      '-b:a',
      '48k',
      '-bitexact',
      '-id3v2_version',
      '3',
      '-map_metadata',
      '-1',
      ...metadataArgs,
      mp3Path,
    ]);
    return readFileSync(mp3Path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
