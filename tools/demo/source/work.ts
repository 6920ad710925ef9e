import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Palette } from '../art/colour.ts';

export const textsFolder = join(dirname(fileURLToPath(import.meta.url)), '..', 'texts');

export interface Chapter {
  title: string;
  markdown: string;
  /** The title of the part that begins with this chapter. */
  part?: string;
}

export interface Price {
  /** Major units, for example dollars. */
  amount: number;
  currency: string;
}

export interface Series {
  name: string;
  number: number;
}

/** Metadata of a work of any medium. */
export interface Work {
  slug: string;
  title: string;
  subtitle?: string;
  authors: string[];
  narrators?: string[];
  /** BCP 47. */
  language: string;
  description: string;
  publisher: string;
  /** ISO 8601 date. */
  publishedOn: string;
  series?: Series;
  categories: string[];
  palette: Palette;
  motif: string;
  price?: Price | number;
  prices?: Price[];
  free?: boolean;
  forSale?: boolean;
}

export function readJson<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(textsFolder, ...path), 'utf8')) as T;
}

export function getPrices(work: Work): Price[] {
  if (work.prices) return work.prices;
  if (work.price === undefined) return [];
  return [typeof work.price === 'number' ? { amount: work.price, currency: 'USD' } : work.price];
}

const sampleWords: Record<string, string> = { en: 'sample', es: 'fragmento', fr: 'extrait', it: 'estratto', zh: '试读' };

/** The name of a sample, in the language of the work. */
export const formatSampleName = (title: string, language: string): string => `${title} (${sampleWords[language] ?? 'sample'})`;
