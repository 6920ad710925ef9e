import type { Browser } from 'playwright-core';
import type { Item, DemoMedia } from './catalogue.ts';
import { formatWebVtt } from './film/captions.ts';
import { renderFilm } from './film/shoot.ts';
import { captionLanguages, type Film } from './film/source.ts';
import { type Story, createStoryBundle } from './player/bundle.ts';
import { computeMp3Duration } from './sound/mp3-duration.ts';
import { recordSpeech } from './sound/speech.ts';
import { getVoice } from './sound/voices.ts';
import { readJson, formatSampleName, type Work } from './source/work.ts';
import { saveFile } from './output.ts';

export interface SpokenWork extends Work {
  tracks: { title: string; text: string }[];
}

export const readSpokenWorks = (): SpokenWork[] => readJson<SpokenWork[]>('spoken.json');

const measureSeconds = (mp3: Buffer): number => Math.round(computeMp3Duration(mp3) * 10) / 10;

/** Samples are cut from the beginning of the first part. */
const sampleStart = { itemId: '1', seconds: 0 };

export function makeAudio(spoken: SpokenWork, folder: string): DemoMedia {
  const voice = getVoice(spoken);
  const baseTags = {
    artist: spoken.authors.join(', '),
    album: spoken.title,
    date: spoken.publishedOn.slice(0, 4),
    language: spoken.language === 'es' ? 'spa' : 'eng',
  };
  const items = spoken.tracks.map(({ title, text }, i): Item => {
    const opening = i === 0 ? `${spoken.title}.\n\n${spoken.authors.join(', ')}.\n\n` : '';
    const mp3 = recordSpeech({
      text: `${opening}${title}.\n\n${text}`,
      voice,
      tags: { ...baseTags, title, track: `${i + 1}/${spoken.tracks.length}` },
    });
    const file = `track-${String(i + 1).padStart(2, '0')}.mp3`;
    saveFile(folder, file, mp3);
    return { id: String(i + 1), name: title, file, mimeType: 'audio/mpeg', durationSeconds: measureSeconds(mp3) };
  });
  const [firstTrack] = spoken.tracks;
  if (!firstTrack) throw new Error(`${spoken.slug}: expected at least one track`);
  const title = formatSampleName(firstTrack.title, spoken.language);
  const sample = recordSpeech({
    text: `${spoken.title}.\n\n${spoken.authors.join(', ')}.\n\n${firstTrack.title}.\n\n${firstTrack.text}`,
    voice,
    tags: { ...baseTags, title, track: '1/1' },
    seconds: 30,
  });
  saveFile(folder, 'sample.mp3', sample);
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
          durationSeconds: measureSeconds(sample),
          sampleOf: sampleStart,
        },
      ],
    },
    durationSeconds: Math.round(items.reduce((sum, { durationSeconds = 0 }) => sum + durationSeconds, 0)),
  };
}

export async function makeFilm(browser: Browser, film: Film, folder: string): Promise<DemoMedia> {
  const { film: fullFilm, sample, seconds: filmSeconds, sampleSeconds } = await renderFilm(browser, film);
  saveFile(folder, 'film.mp4', fullFilm);
  saveFile(folder, 'sample.mp4', sample);
  for (const language of captionLanguages) {
    saveFile(folder, `captions.${language}.vtt`, formatWebVtt(film, language));
    saveFile(folder, `sample-captions.${language}.vtt`, formatWebVtt(film, language, sampleSeconds));
  }
  const createItem = (name: string, file: string, durationSeconds: number, captions: string): Item => ({
    id: '1',
    name,
    file,
    mimeType: 'video/mp4',
    durationSeconds,
    captions: captionLanguages.map((language) => ({ file: `${captions}.${language}.vtt`, language })),
  });
  return {
    medium: 'video',
    items: [createItem(film.title, 'film.mp4', filmSeconds, 'captions')],
    sample: {
      items: [
        {
          ...createItem(formatSampleName(film.title, film.language), 'sample.mp4', sampleSeconds, 'sample-captions'),
          sampleOf: sampleStart,
        },
      ],
    },
    durationSeconds: filmSeconds,
  };
}

export function makeStory(story: Story, folder: string): DemoMedia {
  for (const [file, text] of Object.entries(createStoryBundle(story))) saveFile(folder, `play/${file}`, text);
  for (const [file, text] of Object.entries(createStoryBundle(story, 3))) saveFile(folder, `sample/${file}`, text);
  return {
    medium: 'interactive',
    items: [{ id: '1', name: story.title, file: 'play/index.html', mimeType: 'text/html' }],
    sample: {
      items: [{ id: '1', name: formatSampleName(story.title, story.language), file: 'sample/index.html', mimeType: 'text/html' }],
    },
    wordCount: Object.values(story.nodes).reduce((sum, { text }) => sum + text.split(/\s+/).length, 0),
  };
}
