import { readFile, stat } from 'node:fs/promises';
import { olderFormats, type Run, type Trace, traceFormat } from '../../machines/trace/format.ts';
import { toCurrentTrace } from '../../machines/trace/older/translate.ts';
import { readTraceOfAnyFormat } from '../../machines/trace/pack.ts';
import { createDamagedFileRefusal, createInvalidFileRefusal, type Refusal, isRefusal } from './refusal.ts';
import * as v from 'valibot';
import { formatClock } from './text.ts';
import { traceSchema } from './trace-schema.ts';

/** Whether JSON parsing failed at the end of the text, not at a wrong character. */
const isCutOff = (text: string, message: string): boolean => {
  const position = /at position (\d+)/.exec(message)?.[1];
  return message.startsWith('Unexpected end') || (position !== undefined && Number(position) >= text.trimEnd().length);
};

const parseJson = (text: string): { json: unknown } | Refusal => {
  if (text.trim() === '') return createDamagedFileRefusal('The file is empty.');
  try {
    return { json: JSON.parse(text) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (isCutOff(text, message)) return createDamagedFileRefusal('The file is truncated.');
    const location = /line \d+ column \d+/.exec(message)?.[0];
    return createInvalidFileRefusal(`The file is not valid JSON${location ? ` at ${location}` : ''}.`);
  }
};

const findOtherFormat = (json: unknown): Refusal | null => {
  if (typeof json !== 'object' || json === null || !('format' in json) || !('runs' in json)) {
    return createInvalidFileRefusal('The file is JSON, but not a record of a visit.');
  }
  if (json.format === traceFormat || olderFormats.some((format) => format === json.format)) return null;
  return {
    refused: `The record is of format ${JSON.stringify(json.format)?.slice(0, 20)}; this version reads formats ${olderFormats.join(', ')} and ${traceFormat}.`,
    advice: 'Replay it with the version of Colophon that the shop ran at that time.',
  };
};

/** Expands the references to the record's table of values, if it has one. */
const unpackJson = (json: unknown): { json: unknown } | Refusal => {
  try {
    const unpackedTrace = readTraceOfAnyFormat(json as Trace);
    const fault = unpackedTrace === json ? null : findExceededLimit(unpackedTrace);
    return fault === null ? { json: unpackedTrace } : createInvalidFileRefusal(`The file was not written by the shop. ${fault}`);
  } catch (error) {
    const reason = error instanceof RangeError ? ` ${error.message}.` : '';
    return createInvalidFileRefusal(`The file was changed by hand or is damaged.${reason}`);
  }
};

/**
 * Checks the order of a run's steps: they may be well-formed, but in an order that no recorder
 * writes.
 */
const findDisorder = ({ steps }: Run, run: number): string | null => {
  const stepIndex = steps.findIndex((step, index) => step.at < (steps[index - 1]?.at ?? 0));
  if (stepIndex !== -1) return `Step ${stepIndex + 1} of run ${run + 1} comes before the one above it.`;
  const start = steps.findIndex(({ input }, index) => (input.kind === 'start') !== (index === 0));
  return start === -1 ? null : `Run ${run + 1} does not begin with exactly one start: see its step ${start + 1}.`;
};

const getEnd = ({ startedAt, steps }: Run): number => startedAt + (steps.at(-1)?.at ?? 0);

/**
 * Finds a run that begins before the previous one ends. A tab has one page at a time and the
 * recorder's clock is monotonic, so such a file was edited; its runs have no reliable order.
 */
const findOverlap = (runs: readonly Run[]): string | null => {
  const getOverlapMs = (run: Run, index: number): number => {
    const previousRun = runs[index - 1];
    return previousRun === undefined ? 0 : getEnd(previousRun) - run.startedAt;
  };
  const runIndex = runs.findIndex((run, index) => getOverlapMs(run, index) > 0);
  const run = runs[runIndex];
  return run === undefined
    ? null
    : `Run ${runIndex + 1} begins ${formatClock(getOverlapMs(run, runIndex))} before the end of the run above it.`;
};

/** Migrates a record of an older shop; a forged one may contain any value as a state. */
const translateTrace = (trace: Trace): Trace | Refusal => {
  try {
    return toCurrentTrace(trace);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return createInvalidFileRefusal(`The file was changed by hand: it cannot be translated (${reason.slice(0, 200)}).`);
  }
};

/**
 * Parses a trace file: returns a trace for the current machines, or the reason why it is refused.
 */
const parseTrace = (text: string): Trace | Refusal => {
  const result = parseJson(text.replace(/^\uFEFF/, ''));
  if (isRefusal(result)) return result;
  const { json } = result;
  const fault = findExceededLimit(json);
  if (fault !== null) return createInvalidFileRefusal(`The file was not written by the shop. ${fault}`);
  const refusal = findOtherFormat(json);
  if (refusal) return refusal;
  const unpackResult = unpackJson(json);
  if (isRefusal(unpackResult)) return unpackResult;
  const { success, output, issues } = v.safeParse(traceSchema, unpackResult.json, { abortEarly: true });
  if (!success) {
    const [issue] = issues;
    return createInvalidFileRefusal(
      `The file was changed by hand or is damaged. ${v.getDotPath(issue) ?? 'At its top'}: ${issue.message}.`,
    );
  }
  const disorder = output.runs.map(findDisorder).find((each) => each !== null) ?? findOverlap(output.runs);
  return disorder === null ? translateTrace(output) : createInvalidFileRefusal(`The file was changed by hand. ${disorder}`);
};

/** In bytes. The shop writes at most 2 million characters; larger files are refused unread. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Maximum nesting depth; records have about 20 levels. */
const MAX_DEPTH = 64;

/** Keys with a special meaning in JavaScript; records never have them. */
const hostileKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

type KeyPath = { key: string; parent: KeyPath | null };
type Visit = { value: object; keyPath: KeyPath | null; level: number };

const formatKeyPath = (keyPath: KeyPath | null): string => {
  const keys: string[] = [];
  for (let node = keyPath; node; node = node.parent) keys.unshift(node.key);
  return keys.slice(0, 6).join('.') + (keys.length > 6 ? '…' : '') || 'its top';
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Checks the depth and keys of parsed JSON, iteratively, so that deep values cannot overflow the
 * stack.
 * @returns the fault and its place, or null
 */
const findExceededLimit = (root: unknown): string | null => {
  const pendingVisits: Visit[] = isObject(root) ? [{ value: root, keyPath: null, level: 1 }] : [];
  for (let visit = pendingVisits.pop(); visit; visit = pendingVisits.pop()) {
    const { value, keyPath, level } = visit;
    if (level > MAX_DEPTH) return `It is nested more than ${MAX_DEPTH} levels deep, at ${formatKeyPath(keyPath)}.`;
    for (const key of Object.keys(value)) {
      if (hostileKeys.has(key)) return `It has a key “${key}”, at ${formatKeyPath(keyPath)}.`;
      const child = (value as Record<string, unknown>)[key];
      if (isObject(child)) pendingVisits.push({ value: child, keyPath: { key, parent: keyPath }, level: level + 1 });
    }
  }
  return null;
};

const formatMegabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const readErrorTexts: Readonly<Record<string, string>> = {
  ENOENT: 'The file does not exist.',
  ENOTDIR: 'The file does not exist.',
  EACCES: 'The file may not be read: permission denied.',
  ENAMETOOLONG: 'The file does not exist: its name is too long.',
};

const toReadRefusal = (error: unknown): Refusal => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return {
    refused: readErrorTexts[code] ?? `The file could not be read (${code}).`,
    advice: 'Check the path and the permissions.',
  };
};

/** Reads a trace file. A file that is too large is refused before it is read. */
export const readTrace = async (path: string): Promise<Trace | Refusal> => {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return createInvalidFileRefusal('The path is not a file.');
    if (stats.size > MAX_FILE_BYTES) {
      return createInvalidFileRefusal(
        `The file is too large: ${formatMegabytes(stats.size)}; a record has at most ${formatMegabytes(MAX_FILE_BYTES)}.`,
      );
    }
    const text = await readFile(path, 'utf8');
    return text.includes('\0') ? createDamagedFileRefusal('The file is not a text file.') : parseTrace(text);
  } catch (error) {
    return toReadRefusal(error);
  }
};
