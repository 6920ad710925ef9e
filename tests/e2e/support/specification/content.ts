/** Contents of the specification server's titles: books, a story, and a minute of silence. */

import { createScannedPdf } from '../../../support/scanned-pdf.ts';
import { createBook } from '../../reader/support/small-book.ts';

export type Content = { type: string; data: Buffer };

const renderChapter = (name: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${name}</title></head><body><h1>${name}</h1>${'<p>The ice went out in May, and the boats with it.</p>'.repeat(40)}</body></html>`;

const chapters = ['Ice', 'Water'] as const;

const manifest = {
  '@context': 'https://readium.org/webpub-manifest/context.jsonld',
  metadata: { title: 'The Long Thaw', language: ['en'], readingProgression: 'ltr', layout: 'reflowable', presentation: {} },
  readingOrder: chapters.map((name) => ({ href: `${name}.xhtml`, type: 'application/xhtml+xml' })),
  resources: [],
  toc: chapters.map((name) => ({ title: name, href: `${name}.xhtml` })),
};

/** A file of the book in a folder; null if the book does not contain it. */
export const createBookContent = (path: string): Content | null => {
  if (path === 'manifest.json') return { type: 'application/webpub+json', data: Buffer.from(JSON.stringify(manifest)) };
  const name = chapters.find((each) => path === `${each}.xhtml`);
  return name === undefined ? null : { type: 'application/xhtml+xml', data: Buffer.from(renderChapter(name)) };
};

/** A book in one file, as many servers serve their books. */
export const createBookFile = (): Content => ({
  type: 'application/epub+zip',
  data: createBook(['Ebb', 'Flood'], { body: { Ebb: '<p>The clock showed low water.</p>', Flood: '<p>Then it rose.</p>' } }),
});

/** A book of two pages as PDF. */
export const createPdfFile = (): Content => ({ type: 'application/pdf', data: createScannedPdf(2) });

/** An interactive story: one choice, and an end. */
export const createGame = (): Content => ({
  type: 'text/html',
  data: Buffer.from(`<!doctype html><title>The Ferry</title><h1>The Ferry</h1><button>Cross</button><script>
    const send = (message) => parent.postMessage(message, '*')
    const node = new URLSearchParams(location.hash.slice(1)).get('node') ?? 'bank'
    document.querySelector('h1').textContent = node
    send({ type: 'progress', node })
    document.querySelector('button').onclick = () => {
      document.querySelector('h1').textContent = 'ferry'
      send({ type: 'progress', node: 'ferry', totalProgression: 0.5 })
    }
  </script>`),
});

const SAMPLE_RATE_HZ = 8000;
const SOUND_SECONDS = 60;

/** A minute of silence as WAV: 8-bit samples, mono. */
export const createSound = (): Content => {
  const samples = SAMPLE_RATE_HZ * SOUND_SECONDS;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return { type: 'audio/wav', data: Buffer.concat([header, Buffer.alloc(samples, 128)]) };
};
