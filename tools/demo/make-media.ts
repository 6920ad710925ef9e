import type { Browser } from 'playwright-core';
import type { Item, DemoMedia } from './catalogue.ts';
import { webvtt } from './film/captions.ts';
import { shoot } from './film/shoot.ts';
import { captionLanguages, type Film } from './film/source.ts';
import { type Story, storyBundle } from './player/bundle.ts';
import { mp3Duration } from './sound/mp3-duration.ts';
import { record } from './sound/speech.ts';
import { voiceOf } from './sound/voices.ts';
import { readJson, sampleName, type Work } from './source/work.ts';
import { save } from './output.ts';

export interface SpokenWork extends Work {
  tracks: { title: string; text: string }[];
}

export const readSpoken = (): SpokenWork[] => readJson<SpokenWork[]>('spoken.json');

const seconds = (mp3: Buffer): number => Math.round(mp3Duration(mp3) * 10) / 10;

/** Samples are cut from the beginning of the first part. */
const start = { itemId: '1', seconds: 0 };

export function makeAudio(spoken: SpokenWork, folder: string): DemoMedia {
  const voice = voiceOf(spoken);
  const base = {
    artist: spoken.authors.join(', '),
    album: spoken.title,
    date: spoken.publishedOn.slice(0, 4),
    language: spoken.language === 'es' ? 'spa' : 'eng',
  };
  const items = spoken.tracks.map(({ title, text }, i): Item => {
    const opening = i === 0 ? `${spoken.title}.\n\n${spoken.authors.join(', ')}.\n\n` : '';
    const mp3 = record({
      text: `${opening}${title}.\n\n${text}`,
      voice,
      tags: { ...base, title, track: `${i + 1}/${spoken.tracks.length}` },
    });
    const file = `track-${String(i + 1).padStart(2, '0')}.mp3`;
    save(folder, file, mp3);
    return { id: String(i + 1), name: title, file, mimeType: 'audio/mpeg', durationSeconds: seconds(mp3) };
  });
  const [first] = spoken.tracks;
  if (!first) throw new Error(`${spoken.slug} has no tracks`);
  const title = sampleName(first.title, spoken.language);
  const sample = record({
    text: `${spoken.title}.\n\n${spoken.authors.join(', ')}.\n\n${first.title}.\n\n${first.text}`,
    voice,
    tags: { ...base, title, track: '1/1' },
    seconds: 30,
  });
  save(folder, 'sample.mp3', sample);
  return {
    medium: 'audio',
    items,
    sample: {
      items: [
        {
          id: '1',
          name: title,
          file: 'sample.mp3',
          mimeType: 'audio/mpeg',
          durationSeconds: seconds(sample),
          sampleOf: start,
        },
      ],
    },
    durationSeconds: Math.round(items.reduce((sum, { durationSeconds = 0 }) => sum + durationSeconds, 0)),
  };
}

export async function makeFilm(browser: Browser, film: Film, folder: string): Promise<DemoMedia> {
  const { film: whole, sample, seconds: length, sampleSeconds } = await shoot(browser, film);
  save(folder, 'film.mp4', whole);
  save(folder, 'sample.mp4', sample);
  for (const language of captionLanguages) {
    save(folder, `captions.${language}.vtt`, webvtt(film, language));
    save(folder, `sample-captions.${language}.vtt`, webvtt(film, language, sampleSeconds));
  }
  const item = (name: string, file: string, durationSeconds: number, captions: string): Item => ({
    id: '1',
    name,
    file,
    mimeType: 'video/mp4',
    durationSeconds,
    captions: captionLanguages.map((language) => ({ file: `${captions}.${language}.vtt`, language })),
  });
  return {
    medium: 'video',
    items: [item(film.title, 'film.mp4', length, 'captions')],
    sample: {
      items: [
        { ...item(sampleName(film.title, film.language), 'sample.mp4', sampleSeconds, 'sample-captions'), sampleOf: start },
      ],
    },
    durationSeconds: length,
  };
}

export function makeStory(story: Story, folder: string): DemoMedia {
  for (const [file, text] of Object.entries(storyBundle(story))) save(folder, `play/${file}`, text);
  for (const [file, text] of Object.entries(storyBundle(story, 3))) save(folder, `sample/${file}`, text);
  return {
    medium: 'interactive',
    items: [{ id: '1', name: story.title, file: 'play/index.html', mimeType: 'text/html' }],
    sample: {
      items: [{ id: '1', name: sampleName(story.title, story.language), file: 'sample/index.html', mimeType: 'text/html' }],
    },
    wordCount: Object.values(story.nodes).reduce((sum, { text }) => sum + text.split(/\s+/).length, 0),
  };
}
