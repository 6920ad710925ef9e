import { basename, extname } from 'node:path';
import { parseFile, type IAudioMetadata, type IChapter, type IPicture } from 'music-metadata';
import { assertReadable, BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { readCover } from './cover.ts';
import { parseDay, emptyFacts, type TitleFacts, type ChapterStart, type CoverImage, type TitlePart } from './facts.ts';

type ParsedFile = {
  file: string;
  position: [disk: number, track: number];
  data: IAudioMetadata;
  chapters: ChapterStart[] | 'broken';
};

const getBaseName = (file: string): string => basename(file, extname(file));

/**
 * Maximum number of chapters that are shown of a recording; more are no useful table of contents.
 */
const MAX_CHAPTERS = 1000;

/**
 * The starts of chapters, in order, if they are within the recording; a single chapter is omitted.
 */
function toChapters(marks: readonly IChapter[], { duration = 0, sampleRate = 0 }: IAudioMetadata['format']): ChapterStart[] {
  const getStart = ({ start, timeScale = 0, sampleOffset }: IChapter): number =>
    timeScale > 0 ? start / timeScale : sampleRate > 0 && sampleOffset !== undefined ? sampleOffset / sampleRate : Number.NaN;
  const chapters = marks
    .map((mark) => ({ name: mark.title.trim(), seconds: Math.round(getStart(mark) * 1000) / 1000 }))
    .filter(({ seconds }) => seconds >= 0 && seconds < duration)
    .toSorted((a, b) => a.seconds - b.seconds);
  const distinctChapters = chapters
    .filter(({ seconds }, index) => seconds !== chapters[index - 1]?.seconds)
    .slice(0, MAX_CHAPTERS);
  return distinctChapters.length > 1 ? distinctChapters : [];
}

async function parseMedia(file: string, kind: 'sound' | 'film'): Promise<ParsedFile> {
  const parse = (includeChapters: boolean) => parseFile(file, { duration: true, includeChapters });
  // Unreadable chapter marks do not prevent listening.
  const dataWithChapters = kind === 'sound' ? await parse(true).catch(() => undefined) : undefined;
  const data =
    dataWithChapters ??
    (await parse(false).catch((error: unknown) => {
      throw new BrokenPublication(`${basename(file)} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }));
  const { duration = 0, hasVideo, container, codec } = data.format;
  assertReadable(container !== undefined, `${basename(file)} is in no known format of sound or video`);
  assertReadable(
    Number.isFinite(duration) && duration > 0,
    `${basename(file)} has nothing to play: its duration is ${duration} s, expected more than 0`,
  );
  assertReadable(kind === 'sound' || hasVideo === true, `${basename(file)} has no video track`);
  assertReadable(
    !/^(?:drms|drmi|enc[av])$/i.test(codec ?? ''),
    `${basename(file)} is copy-protected (DRM): its codec is ${codec ?? ''}`,
    'book_protected',
  );
  const { disk, track } = data.common;
  const chapters = dataWithChapters ? toChapters(data.format.chapters ?? [], data.format) : kind === 'sound' ? 'broken' : [];
  return { file, position: [disk.no ?? 0, track.no ?? 0], data, chapters };
}

const compareTracks = (a: ParsedFile, b: ParsedFile): number =>
  a.position[0] - b.position[0] || a.position[1] - b.position[1] || a.file.localeCompare(b.file, 'en', { numeric: true });

async function findCover(pictures: (IPicture[] | undefined)[]): Promise<CoverImage | undefined> {
  const candidates = pictures.flatMap((each) => each ?? []);
  const bestPicture = candidates.find(({ type }) => /front/i.test(type ?? '')) ?? candidates[0];
  return bestPicture && readCover(bestPicture.data).catch(() => undefined);
}

const toPart = ({ file, data, chapters }: ParsedFile, isOnly: boolean): TitlePart => ({
  file,
  name: (isOnly ? data.common.album : undefined) ?? data.common.title ?? (isOnly ? '' : getBaseName(file)),
  durationSeconds: data.format.duration ?? 0,
  ...(chapters === 'broken' || chapters.length === 0 ? {} : { chapters }),
});

const findFirstText = (texts: (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && text.trim() !== '')?.trim();

/**
 * Reads a recording from its files, in track order.
 * @throws BrokenPublication if a file is broken or not playable
 */
export async function readSound(files: readonly string[]): Promise<TitleFacts> {
  const parsedFiles: ParsedFile[] = [];
  for (const file of files) parsedFiles.push(await parseMedia(file, 'sound'));
  // Track numbers that are not unique across files are ignored.
  const positions = new Set(parsedFiles.map(({ position }) => position.join()));
  const sortedFiles = parsedFiles.toSorted(
    positions.size === parsedFiles.length ? compareTracks : (a, b) => a.file.localeCompare(b.file, 'en', { numeric: true }),
  );
  const tags = sortedFiles.map(({ data }) => data.common);
  const [firstTags] = tags;
  const isOnly = sortedFiles.length === 1;
  return {
    ...emptyFacts,
    medium: 'audio',
    name: findFirstText(tags.map(({ album }) => album)) ?? (isOnly ? firstTags?.title : undefined),
    subtitle: findFirstText(tags.map(({ subtitle }) => subtitle?.[0])),
    identifiers: [findFirstText(tags.map(({ barcode }) => barcode)) ?? ''].filter((each) => each !== ''),
    authors: [
      ...new Set(firstTags?.albumartists ?? (firstTags?.albumartist ? [firstTags.albumartist] : (firstTags?.artists ?? []))),
    ],
    // Makers of audiobooks put the narrator into the composer field.
    narrators: [...new Set(firstTags?.composer)],
    publisher: findFirstText(tags.map(({ label }) => label?.[0])) ?? findFirstText(tags.map(({ publisher }) => publisher?.[0])),
    language: findFirstText(tags.map(({ language }) => language)),
    publishedOn: parseDay(findFirstText(tags.map(({ date, year }) => date ?? (year === undefined ? undefined : String(year))))),
    description: findFirstText(
      tags.map(({ longDescription, description, comment }) => longDescription ?? description?.[0] ?? comment?.[0]?.text),
    ),
    cover: await findCover(tags.map(({ picture }) => picture)),
    parts: sortedFiles.map((each) => toPart(each, isOnly)),
    remarks: sortedFiles.some(({ chapters }) => chapters === 'broken')
      ? ['its chapter marks are unreadable, and are left out']
      : [],
  };
}

/** Reads a film. @throws BrokenPublication if the file is broken, or not a film */
export async function readFilm(file: string): Promise<TitleFacts> {
  const { data } = await parseMedia(file, 'film');
  const { common, format } = data;
  return {
    ...emptyFacts,
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
