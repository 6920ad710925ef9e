import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const programs = join(root, 'node_modules', '.bin');

/**
 * The Node that the project brings with it, or where there is none for the platform the one that runs this file.
 * @throws Error when that one cannot run TypeScript
 */
export function projectNode() {
  const own = join(programs, 'node');
  if (existsSync(own)) return own;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  throw new Error(`Colophon needs Node 22.18 or newer on this platform; this is ${process.versions.node}.`);
}

/** The environment in which a tool's `#!/usr/bin/env node` finds the project's Node. */
export function projectEnvironment() {
  return { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` };
}

const parent = process.ppid;

/** A terminated npm takes its shell with it and leaves what that shell ran behind. */
function orphaned() {
  return process.env.npm_execpath !== undefined && process.ppid !== parent;
}

function ignore() {}

/**
 * Runs a program in the project folder, showing what it says, and answers its exit code.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ quiet?: boolean, env?: NodeJS.ProcessEnv }} [options] `quiet` sends its output to stderr
 * @returns {Promise<number>}
 */
export function runHere(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...projectEnvironment(), ...options.env },
      stdio: ['inherit', options.quiet ? 2 : 'inherit', 'inherit'],
    });
    // The child decides how to end: a first Ctrl-C lets the server close its database.
    const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    process.on('SIGTERM', pass);
    process.on('SIGINT', ignore);
    const watch = setInterval(() => orphaned() && pass('SIGTERM'), 500);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(watch);
      process.off('SIGTERM', pass);
      process.off('SIGINT', ignore);
      resolve(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
    });
  });
}
