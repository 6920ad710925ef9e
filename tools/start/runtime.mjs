import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const programs = join(root, 'node_modules', '.bin');

/** The path of the Node that is installed if the machine's is too old. */
export const installedNode = join(programs, 'node');

/**
 * Whether a Node version runs TypeScript and every package: the lock file lists the engines of
 * each.
 * @param {string} version like `24.15.0`
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  return major >= 26 || (major === 24 && minor >= 15);
}

/**
 * The installed Node, else the one that runs this file.
 * @throws Error if that one is too old
 */
export function getProjectNode() {
  if (existsSync(installedNode)) return installedNode;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new Error(`Colophon needs Node ^22.22.2, ^24.15 or >=26; this is ${process.versions.node}.`);
}

/** The environment in which a tool's `#!/usr/bin/env node` finds the project's Node. */
export function getProjectEnvironment() {
  return { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` };
}

const PARENT_PID = process.ppid;

/**
 * Whether npm was terminated: it kills its shell, but not the process that the shell has started.
 */
function isOrphaned() {
  return process.env.npm_execpath !== undefined && process.ppid !== PARENT_PID;
}

function ignore() {}

/**
 * Runs a program in the project folder with its output shown.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ quiet?: boolean, env?: NodeJS.ProcessEnv }} [options] `quiet` sends its output to
 * stderr
 * @returns {Promise<number>} its exit code
 */
export function runHere(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...getProjectEnvironment(), ...options.env },
      stdio: ['inherit', options.quiet ? 2 : 'inherit', 'inherit'],
    });
    // Signals are forwarded and the child decides how to end: on a first Ctrl-C the server closes
    // its database.
    const forwardSignal = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    process.on('SIGTERM', forwardSignal);
    process.on('SIGINT', ignore);
    const orphanCheck = setInterval(() => isOrphaned() && forwardSignal('SIGTERM'), 500);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(orphanCheck);
      process.off('SIGTERM', forwardSignal);
      process.off('SIGINT', ignore);
      resolve(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
    });
  });
}
