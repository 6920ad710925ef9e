import { readJson, type Work } from '../source/work.ts';

interface FilmScene {
  seconds: number;
  background: string;
  motif: string;
  title: string;
}

/** Those that the shop speaks; films have captions in all of them. */
export const captionLanguages = ['en', 'zh', 'es', 'fr', 'it'] as const;
export type CaptionLanguage = (typeof captionLanguages)[number];

export interface Film extends Work {
  /** What is said, from second to second, in each of the languages. */
  captions: { from: number; to: number; text: Record<CaptionLanguage, string> }[];
  scenes: FilmScene[];
}

export const readFilms = (): Film[] => readJson<Film[]>('films.json');

export const filmSeconds = (film: Film): number => film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
