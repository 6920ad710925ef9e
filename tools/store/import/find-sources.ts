import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';

/** The files of one title, as absolute paths. */
export type Source = {
  kind: 'epub' | 'pdf' | 'sound' | 'film';
  /**
   * identifies the title in messages, and in keys if it has no identifier: the path of its file, or
   * of its recording's folder
   */
  path: string;
  files: string[];
  sample?: string;
  /** images that may be its cover, the likeliest first */
  covers: string[];
  captions: { file: string; language: string }[];
};

/** A file or folder that is not a title, with the reason. */
export type SkippedFile = { path: string; reason: string };

const MAX_FILES = 200_000;
const MAX_DEPTH = 32;

const BOOKS: Record<string, 'epub' | 'pdf'> = { '.epub': 'epub', '.pdf': 'pdf' };
const TRACKS = new Set(['.mp3', '.m4a', '.aac', '.ogg', '.opus', '.flac', '.wav']);
const FILMS = new Set(['.mp4', '.m4v', '.mov', '.webm']);
const PICTURES = new Set(['.jpg', '.jpeg', '.png', '.webp']);
/** Formats of books, recordings and films that the shop does not support. */
const UNSUPPORTED_FORMATS = new Set([
  '.mobi',
  '.azw',
  '.azw3',
  '.kfx',
  '.cbz',
  '.cbr',
  '.djvu',
  '.fb2',
  '.lit',
  '.aax',
  '.aa',
  '.mkv',
  '.avi',
  '.wma',
]);

const getExtension = (path: string): string => extname(path).toLowerCase();
const getBaseName = (path: string): string => basename(path, extname(path));
const stripExtension = (path: string): string => join(dirname(path), getBaseName(path));

/**
 * A path within the folder, safe for messages: control characters, which could move a terminal's
 * cursor, are replaced.
 */
export const toPrintablePath = (folder: string, path: string): string =>
  (relative(folder, path) || '.').replaceAll(/\p{Cc}/gu, '\uFFFD');

type FolderListing = { files: string[]; oddities: SkippedFile[] };

async function walkFolder(folder: string, depth: number, listing: FolderListing): Promise<void> {
  if (depth > MAX_DEPTH) return void listing.oddities.push({ path: folder, reason: 'is nested too deeply' });
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => {
    listing.oddities.push({ path: folder, reason: 'cannot be opened. Check its permissions' });
    return [];
  });
  for (const entry of entries.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) await walkFolder(path, depth + 1, listing);
    else if (entry.isFile()) listing.files.push(path);
    else if (entry.isSymbolicLink())
      listing.oddities.push({ path, reason: 'is a symbolic link, which is not followed. Put the file itself there' });
    if (listing.files.length > MAX_FILES)
      throw new BadOperation(`The folder has more than ${MAX_FILES} files. Import its subfolders one by one.`);
  }
}

/** The folder of a track's recording: the folder with its discs, or else with its tracks. */
function getRecordingFolder(track: string): string {
  const folder = dirname(track);
  return /^(?:cd|dis[ck]|part|vol(?:ume)?)[ ._-]*\d+$/i.test(basename(folder)) ? dirname(folder) : folder;
}

/**
 * Finds the titles in a folder. EPUB, PDF, M4B and films are one title per file; other audio files
 * belong to the title of their folder, but those in the top folder are one title per file. A file
 * with the same name is the cover (`.jpg`, `.png`, `.webp`), the sample (`.sample.epub`) or
 * captions (`.en.vtt`).
 * @throws BadOperation if the folder does not exist
 */
export async function findSources(folderPath: string): Promise<{ folder: string; sources: Source[]; oddities: SkippedFile[] }> {
  const folder = await realpath(folderPath).catch(() => {
    throw new BadOperation(`The folder ${folderPath} does not exist.`);
  });
  const listing: FolderListing = { files: [], oddities: [] };
  await walkFolder(folder, 0, listing);
  const filesByFolder = Map.groupBy(listing.files, dirname);
  const samples = new Map(
    listing.files
      .filter((path) => /\.sample\.(?:epub|pdf)$/i.test(path))
      .map((path) => [stripExtension(stripExtension(path)), path]),
  );
  const findCovers = (path: string): string[] =>
    (filesByFolder.get(dirname(path)) ?? []).filter(
      (each) => PICTURES.has(getExtension(each)) && getBaseName(each) === getBaseName(path),
    );
  const findCaptions = (path: string) =>
    (filesByFolder.get(dirname(path)) ?? []).flatMap((file) => {
      const language =
        getExtension(file) === '.vtt' && file.startsWith(`${stripExtension(path)}.`)
          ? getBaseName(file).slice(getBaseName(path).length + 1)
          : undefined;
      return language === undefined ? [] : [{ file, language }];
    });
  const toSource = (kind: Source['kind'], path: string): Source => {
    const sample = kind === 'epub' || kind === 'pdf' ? samples.get(stripExtension(path)) : undefined;
    return {
      kind,
      path,
      files: [path],
      covers: findCovers(path),
      captions: kind === 'film' ? findCaptions(path) : [],
      ...(sample === undefined ? {} : { sample }),
    };
  };
  const sampleFiles = new Set(samples.values());
  const singleFileSources = listing.files.flatMap((path): Source[] => {
    const kind =
      BOOKS[getExtension(path)] ?? (getExtension(path) === '.m4b' ? 'sound' : FILMS.has(getExtension(path)) ? 'film' : undefined);
    const isTrack = TRACKS.has(getExtension(path)) && getRecordingFolder(path) === folder;
    if (isTrack) return [toSource('sound', path)];
    return kind === undefined || sampleFiles.has(path) ? [] : [toSource(kind, path)];
  });
  const tracks = listing.files.filter((path) => TRACKS.has(getExtension(path)) && getRecordingFolder(path) !== folder);
  const recordings = [...Map.groupBy(tracks, getRecordingFolder)].map(([path, files]): Source => ({
    kind: 'sound',
    path,
    files,
    covers: [...(filesByFolder.get(path) ?? []), ...(filesByFolder.get(dirname(files[0] ?? path)) ?? [])].filter(
      (each) => PICTURES.has(getExtension(each)) && /^(?:cover|folder|front)$/i.test(getBaseName(each)),
    ),
    captions: [],
  }));
  for (const path of listing.files)
    if (UNSUPPORTED_FORMATS.has(getExtension(path)))
      listing.oddities.push({ path, reason: `has a format that the shop does not support (${getExtension(path)}). Convert it` });
  return { folder, sources: [...singleFileSources, ...recordings], oddities: listing.oddities };
}
