import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { drawFrame, height, width } from './frame.ts';
import { type Score, renderScore } from './score.ts';
import { type Film, getFilmSeconds } from './source.ts';

const framesPerSecond = 20;

const scores: Record<string, Omit<Score, 'seconds'>> = {
  // A pentatonic drift for the shore, a minor waltz-like turn for the workshop.
  wave: {
    chordSeconds: 5,
    chords: [
      [0, 7, 12, 16],
      [-3, 4, 9, 16],
      [5, 9, 12, 17],
      [-5, 2, 7, 14],
    ],
    plucks: 8,
    air: 'surf',
  },
  lamp: {
    chordSeconds: 6,
    chords: [
      [-3, 4, 9, 12],
      [-7, 0, 5, 9],
      [-5, 2, 7, 11],
      [-8, 4, 8, 11],
      [0, 4, 7, 12],
    ],
    plucks: 9,
    air: 'embers',
  },
};

export interface Footage {
  film: Buffer;
  sample: Buffer;
  seconds: number;
  sampleSeconds: number;
}

/**
 * Renders every frame in the browser and encodes the frames with the score: H.264 baseline and AAC,
 * ready to stream.
 */
export async function renderFilm(browser: Browser, film: Film): Promise<Footage> {
  const seconds = getFilmSeconds(film);
  const sampleSeconds = 10;
  const folder = mkdtempSync(join(tmpdir(), 'colophon-film-'));
  const page = await browser.newPage({ viewport: { width, height } });
  try {
    const [wav, mp4, sampleMp4] = ['score.wav', 'film.mp4', 'sample.mp4'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const score = scores[film.motif] ?? scores['wave'];
    if (!score) throw new Error(`${film.slug}: no score for the motif ${film.motif}, nor for wave`);
    writeFileSync(wav, renderScore({ ...score, seconds }));
    await page.setContent(
      `<style>*{margin:0}svg{display:block}</style><svg id="f" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"></svg>`,
    );
    const inputArgs = [
      '-v',
      'error',
      '-y',
      '-f',
      'image2pipe',
      '-framerate',
      String(framesPerSecond),
      '-c:v',
      'mjpeg',
      '-i',
      '-',
      '-i',
      wav,
    ];
    const videoArgs = [
      '-c:v',
      'libx264',
      '-profile:v',
      'baseline',
      '-preset',
      'slow',
      '-crf',
      '24',
      '-tune',
      'animation',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '40',
      '-threads',
      '1',
    ];
    const encoder = spawn(
      'ffmpeg',
      [
        ...inputArgs,
        ...videoArgs,
        '-c:a',
        'aac',
        '-b:a',
        '80k',
        '-ac',
        '1',
        '-t',
        String(seconds),
        '-bitexact',
        '-map_metadata',
        '-1',
        '-movflags',
        '+faststart',
        mp4,
      ],
      { stdio: ['pipe', 'inherit', 'inherit'] },
    );
    const closeEvent = once(encoder, 'close');
    for (let i = 0; i < seconds * framesPerSecond; i++) {
      await page.evaluate(
        (svg) => {
          const element = document.getElementById('f');
          if (element) element.innerHTML = svg;
        },
        drawFrame(film, i / framesPerSecond),
      );
      const screenshot = await page.screenshot({ type: 'jpeg', quality: 95 });
      if (!encoder.stdin.write(screenshot)) await once(encoder.stdin, 'drain');
    }
    encoder.stdin.end();
    const [code] = (await closeEvent) as [number | null];
    if (code !== 0) throw new Error(`ffmpeg exited with ${code} while encoding ${film.slug}`);
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      mp4,
      '-t',
      String(sampleSeconds),
      '-c',
      'copy',
      '-bitexact',
      '-map_metadata',
      '-1',
      '-movflags',
      '+faststart',
      sampleMp4,
    ]);
    return { film: readFileSync(mp4), sample: readFileSync(sampleMp4), seconds, sampleSeconds };
  } finally {
    await page.close();
    rmSync(folder, { recursive: true });
  }
}
