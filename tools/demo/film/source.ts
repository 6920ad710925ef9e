import { readJson, type Work } from '../source/work.ts';

interface FilmScene {
  seconds: number;
  background: string;
  motif: string;
  title: string;
}

/** The shop's languages; films have captions in all of them. */
export const captionLanguages = ['en', 'zh', 'es', 'fr', 'it'] as const;
export type CaptionLanguage = (typeof captionLanguages)[number];

export interface Film extends Work {
  /** The spoken text with its start and end in seconds, in each language. */
  captions: { from: number; to: number; text: Record<CaptionLanguage, string> }[];
  scenes: FilmScene[];
}

export const readFilms = (): Film[] => readJson<Film[]>('films.json');

export const getFilmSeconds = (film: Film): number => film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
