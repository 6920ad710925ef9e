import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';

/** The files of one title, as absolute paths. */
export type Source = {
  kind: 'epub' | 'pdf' | 'sound' | 'film';
  /** what stands for it in messages, and in addresses where it has no identifier: its file, or the folder of its recording */
  path: string;
  files: string[];
  sample?: string;
  /** pictures that may be its cover, the likeliest first */
  covers: string[];
  captions: { file: string; language: string }[];
};

/** Something in the folder that is no title, and why. */
export type Oddity = { path: string; why: string };

const MOST_FILES = 200_000;
const DEEPEST = 32;

const BOOKS: Record<string, 'epub' | 'pdf'> = { '.epub': 'epub', '.pdf': 'pdf' };
const TRACKS = new Set(['.mp3', '.m4a', '.aac', '.ogg', '.opus', '.flac', '.wav']);
const FILMS = new Set(['.mp4', '.m4v', '.mov', '.webm']);
const PICTURES = new Set(['.jpg', '.jpeg', '.png', '.webp']);
/** Books that the shop has no reader for. */
const OTHER_BOOKS = new Set([
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

const ending = (path: string): string => extname(path).toLowerCase();
const bare = (path: string): string => basename(path, extname(path));
const stem = (path: string): string => join(dirname(path), bare(path));

/** A path within the folder, as messages show it: nothing in it moves a terminal's cursor. */
export const shown = (folder: string, path: string): string => (relative(folder, path) || '.').replaceAll(/\p{Cc}/gu, '\uFFFD');

type Walked = { files: string[]; oddities: Oddity[] };

async function walk(folder: string, depth: number, found: Walked): Promise<void> {
  if (depth > DEEPEST) return void found.oddities.push({ path: folder, why: 'lies too deep in the folder' });
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => {
    found.oddities.push({ path: folder, why: 'cannot be opened. Allow reading it' });
    return [];
  });
  for (const entry of entries.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) await walk(path, depth + 1, found);
    else if (entry.isFile()) found.files.push(path);
    else if (entry.isSymbolicLink())
      found.oddities.push({ path, why: 'is a link, which is not followed. Put the file itself there' });
    if (found.files.length > MOST_FILES)
      throw new BadOperation(`The folder has more than ${MOST_FILES} files. Import its folders one by one.`);
  }
}

/** The folder of a recording: one that holds its discs, or its tracks. */
function recordingOf(track: string): string {
  const folder = dirname(track);
  return /^(?:cd|dis[ck]|part|vol(?:ume)?)[ ._-]*\d+$/i.test(basename(folder)) ? dirname(folder) : folder;
}

/**
 * The titles that a folder holds: EPUB, PDF, M4B and films by their files, other sound files by the folder below the top one that they
 * lie in. A file beside with the same name is the cover (`.jpg`, `.png`, `.webp`), the sample (`.sample.epub`) or captions (`.en.vtt`).
 * @throws BadOperation where there is no such folder
 */
export async function findSources(named: string): Promise<{ folder: string; sources: Source[]; oddities: Oddity[] }> {
  const folder = await realpath(named).catch(() => {
    throw new BadOperation(`There is no folder ${named}.`);
  });
  const found: Walked = { files: [], oddities: [] };
  await walk(folder, 0, found);
  const beside = Map.groupBy(found.files, dirname);
  const samples = new Map(
    found.files.filter((path) => /\.sample\.(?:epub|pdf)$/i.test(path)).map((path) => [stem(stem(path)), path]),
  );
  const coversOf = (path: string): string[] =>
    (beside.get(dirname(path)) ?? []).filter((each) => PICTURES.has(ending(each)) && bare(each) === bare(path));
  const captionsOf = (path: string) =>
    (beside.get(dirname(path)) ?? []).flatMap((file) => {
      const language =
        ending(file) === '.vtt' && file.startsWith(`${stem(path)}.`) ? bare(file).slice(bare(path).length + 1) : undefined;
      return language === undefined ? [] : [{ file, language }];
    });
  const single = (kind: Source['kind'], path: string): Source => {
    const sample = kind === 'epub' || kind === 'pdf' ? samples.get(stem(path)) : undefined;
    return {
      kind,
      path,
      files: [path],
      covers: coversOf(path),
      captions: kind === 'film' ? captionsOf(path) : [],
      ...(sample === undefined ? {} : { sample }),
    };
  };
  const isSample = new Set(samples.values());
  const singles = found.files.flatMap((path): Source[] => {
    const kind = BOOKS[ending(path)] ?? (ending(path) === '.m4b' ? 'sound' : FILMS.has(ending(path)) ? 'film' : undefined);
    const isTrack = TRACKS.has(ending(path)) && recordingOf(path) === folder;
    if (isTrack) return [single('sound', path)];
    return kind === undefined || isSample.has(path) ? [] : [single(kind, path)];
  });
  const tracks = found.files.filter((path) => TRACKS.has(ending(path)) && recordingOf(path) !== folder);
  const recordings = [...Map.groupBy(tracks, recordingOf)].map(([path, files]): Source => ({
    kind: 'sound',
    path,
    files,
    covers: [...(beside.get(path) ?? []), ...(beside.get(dirname(files[0] ?? path)) ?? [])].filter(
      (each) => PICTURES.has(ending(each)) && /^(?:cover|folder|front)$/i.test(bare(each)),
    ),
    captions: [],
  }));
  for (const path of found.files)
    if (OTHER_BOOKS.has(ending(path)))
      found.oddities.push({ path, why: `is of a kind that the shop does not have (${ending(path)}). Convert it` });
  return { folder, sources: [...singles, ...recordings], oddities: found.oddities };
}
