import { basename, extname } from 'node:path';
import { parseFile, type IAudioMetadata, type IChapter, type IPicture } from 'music-metadata';
import { demand, BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { readCover } from './cover.ts';
import { dayIn, noFacts, type Facts, type ReadChapter, type ReadCover, type ReadPart } from './facts.ts';

type Read = { file: string; place: [disk: number, track: number]; data: IAudioMetadata; chapters: ReadChapter[] | 'broken' };

const bare = (file: string): string => basename(file, extname(file));

/** Marks of chapters that are shown of a recording; more than that is no table of contents. */
const MOST_CHAPTERS = 1000;

/** The beginnings of chapters, in their order, as far as they lie within what plays; one alone is the whole. */
function chaptersOf(marks: readonly IChapter[], { duration = 0, sampleRate = 0 }: IAudioMetadata['format']): ReadChapter[] {
  const begins = ({ start, timeScale = 0, sampleOffset }: IChapter): number =>
    timeScale > 0 ? start / timeScale : sampleRate > 0 && sampleOffset !== undefined ? sampleOffset / sampleRate : Number.NaN;
  const all = marks
    .map((mark) => ({ name: mark.title.trim(), seconds: Math.round(begins(mark) * 1000) / 1000 }))
    .filter(({ seconds }) => seconds >= 0 && seconds < duration)
    .toSorted((a, b) => a.seconds - b.seconds);
  const apart = all.filter(({ seconds }, at) => seconds !== all[at - 1]?.seconds).slice(0, MOST_CHAPTERS);
  return apart.length > 1 ? apart : [];
}

async function read(file: string, what: 'sound' | 'film'): Promise<Read> {
  const parse = (includeChapters: boolean) => parseFile(file, { duration: true, includeChapters });
  // Marks that cannot be read keep nobody from listening.
  const whole = what === 'sound' ? await parse(true).catch(() => undefined) : undefined;
  const data =
    whole ??
    (await parse(false).catch((error: unknown) => {
      throw new BrokenPublication(`${basename(file)} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }));
  const { duration = 0, hasVideo, container, codec } = data.format;
  demand(container !== undefined && Number.isFinite(duration) && duration > 0, `${basename(file)} holds nothing that plays`);
  demand(what === 'sound' || hasVideo === true, `${basename(file)} holds no pictures`);
  demand(!/^(?:drms|drmi|enc[av])$/i.test(codec ?? ''), `${basename(file)} is protected against copying`, 'book_protected');
  const { disk, track } = data.common;
  const chapters = whole ? chaptersOf(data.format.chapters ?? [], data.format) : what === 'sound' ? 'broken' : [];
  return { file, place: [disk.no ?? 0, track.no ?? 0], data, chapters };
}

const inOrder = (a: Read, b: Read): number =>
  a.place[0] - b.place[0] || a.place[1] - b.place[1] || a.file.localeCompare(b.file, 'en', { numeric: true });

async function coverIn(pictures: (IPicture[] | undefined)[]): Promise<ReadCover | undefined> {
  const all = pictures.flatMap((each) => each ?? []);
  const best = all.find(({ type }) => /front/i.test(type ?? '')) ?? all[0];
  return best && readCover(best.data).catch(() => undefined);
}

const partOf = ({ file, data, chapters }: Read, isOnly: boolean): ReadPart => ({
  file,
  name: (isOnly ? data.common.album : undefined) ?? data.common.title ?? (isOnly ? '' : bare(file)),
  durationSeconds: data.format.duration ?? 0,
  ...(chapters === 'broken' || chapters.length === 0 ? {} : { chapters }),
});

const same = (texts: (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && text.trim() !== '')?.trim();

/**
 * Reads a recording out of its files, in the order of their tracks.
 * @throws BrokenPublication when one of them is broken, or holds nothing that plays
 */
export async function readSound(files: readonly string[]): Promise<Facts> {
  const all: Read[] = [];
  for (const file of files) all.push(await read(file, 'sound'));
  // Tracks that do not count from file to file say nothing.
  const places = new Set(all.map(({ place }) => place.join()));
  const sorted = all.toSorted(
    places.size === all.length ? inOrder : (a, b) => a.file.localeCompare(b.file, 'en', { numeric: true }),
  );
  const common = sorted.map(({ data }) => data.common);
  const [first] = common;
  const isOnly = sorted.length === 1;
  return {
    ...noFacts,
    medium: 'audio',
    name: same(common.map(({ album }) => album)) ?? (isOnly ? first?.title : undefined),
    subtitle: same(common.map(({ subtitle }) => subtitle?.[0])),
    identifiers: [same(common.map(({ barcode }) => barcode)) ?? ''].filter((each) => each !== ''),
    authors: [...new Set(first?.albumartists ?? (first?.albumartist ? [first.albumartist] : (first?.artists ?? [])))],
    // Where those who make audiobooks write who reads.
    narrators: [...new Set(first?.composer)],
    publisher: same(common.map(({ label }) => label?.[0])) ?? same(common.map(({ publisher }) => publisher?.[0])),
    language: same(common.map(({ language }) => language)),
    publishedOn: dayIn(same(common.map(({ date, year }) => date ?? (year === undefined ? undefined : String(year))))),
    description: same(
      common.map(({ longDescription, description, comment }) => longDescription ?? description?.[0] ?? comment?.[0]?.text),
    ),
    cover: await coverIn(common.map(({ picture }) => picture)),
    parts: sorted.map((each) => partOf(each, isOnly)),
    remarks: sorted.some(({ chapters }) => chapters === 'broken')
      ? ['its marks of chapters cannot be read, and are left out']
      : [],
  };
}

/** @throws BrokenPublication when it is broken, or no film */
export async function readFilm(file: string): Promise<Facts> {
  const { data } = await read(file, 'film');
  const { common, format } = data;
  return {
    ...noFacts,
    medium: 'video',
    name: common.title,
    authors: [...new Set(common.artists)],
    publisher: same([common.label?.[0], common.publisher?.[0]]),
    language: common.language,
    publishedOn: dayIn(same([common.date, common.year === undefined ? undefined : String(common.year)])),
    description: same([common.longDescription, common.description?.[0], common.comment?.[0]?.text]),
    cover: await coverIn([common.picture]),
    parts: [{ file, name: common.title ?? '', durationSeconds: format.duration ?? 0 }],
  };
}
