import { type Palette, createTones } from '../art/colour.ts';
import { createSeededRandom } from '../art/seeded.ts';
import { getMotif } from '../motifs/all.ts';
import { arch } from './arch.ts';
import { classic } from './classic.ts';
import type { Composition } from './composition.ts';
import { halves } from './halves.ts';
import { papered } from './papered.ts';
import { poster } from './poster.ts';
import { shout } from './shout.ts';
import { spineCloth } from './spine-cloth.ts';
import { strata } from './strata.ts';

const compositions: Record<string, Composition> = {
  arch,
  classic,
  halves,
  papered,
  poster,
  shout,
  spineCloth,
  strata,
};

export interface CoverSpec {
  slug: string;
  title: string;
  subtitle?: string | undefined;
  authors: string[];
  publisher: string;
  palette: Palette;
  motif: string;
  /** The composition's name. */
  look: string;
}

const createPage = (body: string): string => `<!doctype html><meta charset="utf-8"><style>
*{margin:0;box-sizing:border-box}body{width:600px;height:900px;overflow:hidden;position:relative}
svg{position:absolute;inset:0}.words{position:absolute;display:flex;flex-direction:column;overflow:hidden}
.words span{text-wrap:balance;hyphens:manual;display:block}</style>${body}`;

/** The cover as an HTML page of 600 by 900 CSS pixels, before its text is fitted (`fitWords`). */
export function createCoverPage(spec: CoverSpec): string {
  const composition = compositions[spec.look];
  if (!composition) {
    const expected = Object.keys(compositions).join(', ');
    throw new Error(`${spec.slug}: no cover composition is named ${spec.look}, expected one of ${expected}`);
  }
  return createPage(
    composition({
      title: spec.title,
      subtitle: spec.subtitle,
      authors: spec.authors,
      publisher: spec.publisher,
      motif: getMotif(spec.motif),
      tones: createTones(spec.palette),
      random: createSeededRandom(spec.slug),
    }),
  );
}

/** Runs in the page: reduces the font size of every text block until the text fits into its box. */
export function fitWords(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.words')) {
    const span = block.firstElementChild;
    let size = Number.parseFloat(getComputedStyle(block).fontSize);
    const overflows = () =>
      !span || span.scrollWidth > block.clientWidth || span.getBoundingClientRect().height > block.clientHeight + 1;
    while (size > 10 && overflows()) block.style.fontSize = `${(size -= 1)}px`;
  }
}
