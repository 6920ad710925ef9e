import { readJson, type Work } from '../source/work.ts';

interface FilmScene {
  seconds: number;
  background: string;
  motif: string;
  title: string;
}

export interface Film extends Work {
  captions: { from: number; to: number; text: string }[];
  scenes: FilmScene[];
}

export const readFilms = (): Film[] => readJson<Film[]>('films.json');

export const filmSeconds = (film: Film): number => film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
