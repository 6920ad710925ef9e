import { basename, extname } from 'node:path';
import { parseFile, type IAudioMetadata, type IChapter, type IPicture } from 'music-metadata';
import { assertReadable, BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { readCover } from './cover.ts';
import { parseDay, noFacts, type TitleFacts, type ReadChapter, type ReadCover, type ReadPart } from './facts.ts';

type ParsedFile = {
  file: string;
  place: [disk: number, track: number];
  data: IAudioMetadata;
  chapters: ReadChapter[] | 'broken';
};

const getBaseName = (file: string): string => basename(file, extname(file));

/**
 * Maximum number of chapters that are shown of a recording; more are no useful table of contents.
 */
const MAX_CHAPTERS = 1000;

/**
 * The starts of chapters, in order, if they are within the recording; a single chapter is omitted.
 */
function toChapters(marks: readonly IChapter[], { duration = 0, sampleRate = 0 }: IAudioMetadata['format']): ReadChapter[] {
  const begins = ({ start, timeScale = 0, sampleOffset }: IChapter): number =>
    timeScale > 0 ? start / timeScale : sampleRate > 0 && sampleOffset !== undefined ? sampleOffset / sampleRate : Number.NaN;
  const all = marks
    .map((mark) => ({ name: mark.title.trim(), seconds: Math.round(begins(mark) * 1000) / 1000 }))
    .filter(({ seconds }) => seconds >= 0 && seconds < duration)
    .toSorted((a, b) => a.seconds - b.seconds);
  const apart = all.filter(({ seconds }, at) => seconds !== all[at - 1]?.seconds).slice(0, MAX_CHAPTERS);
  return apart.length > 1 ? apart : [];
}

async function parseMedia(file: string, what: 'sound' | 'film'): Promise<ParsedFile> {
  const parse = (includeChapters: boolean) => parseFile(file, { duration: true, includeChapters });
  // Unreadable chapter marks do not prevent listening.
  const whole = what === 'sound' ? await parse(true).catch(() => undefined) : undefined;
  const data =
    whole ??
    (await parse(false).catch((error: unknown) => {
      throw new BrokenPublication(`${basename(file)} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }));
  const { duration = 0, hasVideo, container, codec } = data.format;
  assertReadable(container !== undefined && Number.isFinite(duration) && duration > 0, `${basename(file)} has nothing to play`);
  assertReadable(what === 'sound' || hasVideo === true, `${basename(file)} has no video track`);
  assertReadable(!/^(?:drms|drmi|enc[av])$/i.test(codec ?? ''), `${basename(file)} is copy-protected (DRM)`, 'book_protected');
  const { disk, track } = data.common;
  const chapters = whole ? toChapters(data.format.chapters ?? [], data.format) : what === 'sound' ? 'broken' : [];
  return { file, place: [disk.no ?? 0, track.no ?? 0], data, chapters };
}

const compareTracks = (a: ParsedFile, b: ParsedFile): number =>
  a.place[0] - b.place[0] || a.place[1] - b.place[1] || a.file.localeCompare(b.file, 'en', { numeric: true });

async function findCover(pictures: (IPicture[] | undefined)[]): Promise<ReadCover | undefined> {
  const all = pictures.flatMap((each) => each ?? []);
  const best = all.find(({ type }) => /front/i.test(type ?? '')) ?? all[0];
  return best && readCover(best.data).catch(() => undefined);
}

const toPart = ({ file, data, chapters }: ParsedFile, isOnly: boolean): ReadPart => ({
  file,
  name: (isOnly ? data.common.album : undefined) ?? data.common.title ?? (isOnly ? '' : getBaseName(file)),
  durationSeconds: data.format.duration ?? 0,
  ...(chapters === 'broken' || chapters.length === 0 ? {} : { chapters }),
});

const findFirstText = (texts: (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && text.trim() !== '')?.trim();

/**
 * Reads a recording from its files, in track order.
 * @throws BrokenPublication if one of them is broken, or is not playable
 */
export async function readSound(files: readonly string[]): Promise<TitleFacts> {
  const all: ParsedFile[] = [];
  for (const file of files) all.push(await parseMedia(file, 'sound'));
  // Track numbers that are not unique across files are ignored.
  const places = new Set(all.map(({ place }) => place.join()));
  const sorted = all.toSorted(
    places.size === all.length ? compareTracks : (a, b) => a.file.localeCompare(b.file, 'en', { numeric: true }),
  );
  const common = sorted.map(({ data }) => data.common);
  const [first] = common;
  const isOnly = sorted.length === 1;
  return {
    ...noFacts,
    medium: 'audio',
    name: findFirstText(common.map(({ album }) => album)) ?? (isOnly ? first?.title : undefined),
    subtitle: findFirstText(common.map(({ subtitle }) => subtitle?.[0])),
    identifiers: [findFirstText(common.map(({ barcode }) => barcode)) ?? ''].filter((each) => each !== ''),
    authors: [...new Set(first?.albumartists ?? (first?.albumartist ? [first.albumartist] : (first?.artists ?? [])))],
    // Makers of audiobooks put the narrator into the composer field.
    narrators: [...new Set(first?.composer)],
    publisher:
      findFirstText(common.map(({ label }) => label?.[0])) ?? findFirstText(common.map(({ publisher }) => publisher?.[0])),
    language: findFirstText(common.map(({ language }) => language)),
    publishedOn: parseDay(findFirstText(common.map(({ date, year }) => date ?? (year === undefined ? undefined : String(year))))),
    description: findFirstText(
      common.map(({ longDescription, description, comment }) => longDescription ?? description?.[0] ?? comment?.[0]?.text),
    ),
    cover: await findCover(common.map(({ picture }) => picture)),
    parts: sorted.map((each) => toPart(each, isOnly)),
    remarks: sorted.some(({ chapters }) => chapters === 'broken') ? ['its chapter marks are unreadable, and are left out'] : [],
  };
}

/** @throws BrokenPublication if it is broken, or not a film */
export async function readFilm(file: string): Promise<TitleFacts> {
  const { data } = await parseMedia(file, 'film');
  const { common, format } = data;
  return {
    ...noFacts,
    medium: 'video',
    name: common.title,
    authors: [...new Set(common.artists)],
    publisher: findFirstText([common.label?.[0], common.publisher?.[0]]),
    language: common.language,
    publishedOn: parseDay(findFirstText([common.date, common.year === undefined ? undefined : String(common.year)])),
    description: findFirstText([common.longDescription, common.description?.[0], common.comment?.[0]?.text]),
    cover: await findCover([common.picture]),
    parts: [{ file, name: common.title ?? '', durationSeconds: format.duration ?? 0 }],
  };
}
