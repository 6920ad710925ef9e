import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { BadSetting } from './bad-setting.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PRIVATE_UMASK = 0o077;
const MODE_BITS = 0o7777;
const STICKY_BIT = 0o1000;

/**
 * Of open(2) on Linux, which Node does not name: reads and opens nothing, so any kind of file will
 * do.
 */
const O_PATH = 0o10000000;

/** Problems that are reported one by one; of the rest only the number. */
const MAX_REPORTED_PATHS = 20;

/**
 * Names of a shop's data folder, and of a gateway's; the lock and the journal have some more while
 * they are written. Only these are changed: the folder's own mode shuts others out of the rest.
 */
const SHOP_NAMES = /^(?:covers|gateway|media|outbox|postgres|colophon\.lock.*|journal\.jsonl.*)$/;
/**
 * A folder with one of these is a shop's or a gateway's; a mere `media` may be another program's.
 */
const MARKERS = [
  'colophon.lock',
  'covers',
  'journal.jsonl',
  join('gateway', 'journal.jsonl'),
  'outbox',
  join('postgres', 'PG_VERSION'),
];

/** Marks a data folder as a shop's, so that its next start knows it by more than its media. */
export const markShopFolder = (folder: string): void =>
  void mkdirSync(join(folder, 'outbox'), { recursive: true, mode: FOLDER_MODE });

/**
 * Files that this process creates from now on are its user's alone. Worker threads share the umask,
 * but cannot set it.
 */
export const createPrivateFiles = (): void => void process.umask(PRIVATE_UMASK);

const octal = (mode: number): string => (mode & MODE_BITS).toString(8).padStart(4, '0');

const codeOf = (error: unknown): string => String(error instanceof Error ? (Reflect.get(error, 'code') ?? error.message) : error);

const ownUserId = (): number => process.getuid?.() ?? -1;

const isForeign = ({ uid }: Stats): boolean => ownUserId() !== -1 && uid !== ownUserId();

const wantedMode = (stats: Stats): number => (stats.isDirectory() ? FOLDER_MODE : FILE_MODE);

/**
 * A path as messages name it. Other users may have named it: no control character reaches the
 * terminal, and no text of it passes for the sentence around it.
 */
const shown = (path: string): string => JSON.stringify(path).replaceAll(/[\u007f-\u009f\u200e-\u202e\u2066-\u2069]/g, '\uFFFD');

/** A path that is open: `at` leads to the same file even where the path leads elsewhere by now. */
type OpenPath = { stats: Stats; at: string };

/** Opens a path itself, never the target of a link in its last part. */
function withPath<Result>(path: string, inspect: (open: OpenPath) => Result): Result {
  const descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    return inspect({ stats: fstatSync(descriptor), at: `/proc/self/fd/${descriptor}` });
  } finally {
    closeSync(descriptor);
  }
}

/**
 * @returns why others may still have rights to the path, and what to do; undefined where they have
 * none
 */
function restrict({ stats, at }: OpenPath, path: string): string | undefined {
  const [wanted, mode] = [wantedMode(stats), stats.mode & MODE_BITS];
  if (isForeign(stats)) {
    const owner = `It belongs to the user ${stats.uid}, not to the shop’s user ${ownUserId()}, and is left as it is.`;
    return `${shown(path)} has the mode ${octal(mode)} and can be read by its owner. ${owner} Change its owner to ${ownUserId()} (chown).`;
  }
  try {
    if (mode !== wanted) chmodSync(at, wanted);
    return undefined;
  } catch (error) {
    const failure = `${shown(path)} has the mode ${octal(mode)}, which cannot be changed to ${octal(wanted)} (${codeOf(error)}).`;
    return `${failure} Change it as the file’s owner (chmod).`;
  }
}

/**
 * Makes one path and all below it private. Each is opened from its open folder, so that no other
 * user can put a link in the place of a folder on the way.
 * @param at where it is opened
 * @param path how it is named to the operator
 */
function closePath(at: string, path: string, problems: string[]): void {
  try {
    withPath(at, (open) => {
      // Its target may be shared with other programs on purpose.
      const problem = open.stats.isSymbolicLink()
        ? `${shown(path)} is a symbolic link, whose target is not changed. Make sure that only the shop’s user can read it.`
        : restrict(open, path);
      if (problem !== undefined) problems.push(problem);
      // A folder is closed before its content is read.
      if (open.stats.isDirectory())
        for (const name of readdirSync(open.at)) closePath(`${open.at}/${name}`, join(path, name), problems);
    });
  } catch (error) {
    // One that has just been deleted is no problem.
    if (codeOf(error) !== 'ENOENT')
      problems.push(`${shown(path)} cannot be checked (${codeOf(error)}). Make it readable by the shop’s user.`);
  }
}

/** Whether a path would be changed, or what is in it; false for a new disk's empty `lost+found`. */
const wouldChange = (path: string): boolean =>
  withPath(path, ({ stats, at }) => {
    if (stats.isSymbolicLink() || isForeign(stats)) return false;
    return (stats.mode & MODE_BITS) !== wantedMode(stats) || (stats.isDirectory() && readdirSync(at).length > 0);
  });

const isShopFolder = (top: string): boolean => MARKERS.some((marker) => existsSync(join(top, marker)));

/** Makes the folder private, and all of a shop's in it. */
function closeTop(top: string, problems: string[]): void {
  withPath(top, (open) => {
    const problem = restrict(open, top);
    if (problem !== undefined) problems.push(problem);
    for (const name of readdirSync(open.at).filter((each) => SHOP_NAMES.test(each)))
      closePath(`${open.at}/${name}`, join(top, name), problems);
  });
}

/**
 * Takes all rights to a folder, and to everything of a shop in it, from other users, for files
 * written under any umask: folders get the mode 0700, files 0600. Creates the folder where it is
 * missing.
 * @returns sentences for the operator about paths that others may still have rights to
 * @throws BadSetting for a folder like /tmp, which users share on purpose, and for one like /srv,
 * which holds other programs' files and none of a shop
 */
export function makePrivate(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const top = realpathSync(folder);
  const advice = `Name one for the shop alone, such as ${join(folder, 'shop')}.`;
  const isShared = withPath(top, ({ stats }) => (stats.mode & STICKY_BIT) !== 0);
  if (isShared) throw new BadSetting(`The folder ${folder} is shared by users (it has the sticky bit). ${advice}`);
  const names = readdirSync(top).toSorted();
  const other = isShopFolder(top) ? undefined : names.find((name) => wouldChange(join(top, name)));
  if (other !== undefined)
    throw new BadSetting(
      `The folder ${folder} holds "${other}" and nothing of a shop, whose data folder is for its user alone: ` +
        `expected an empty folder, or one with a shop’s data. ${advice}`,
    );
  const problems: string[] = [];
  closeTop(top, problems);
  const more = problems.length - MAX_REPORTED_PATHS;
  return more > 0 ? [...problems.slice(0, MAX_REPORTED_PATHS), `… and ${more} more paths below ${folder}.`] : problems;
}
