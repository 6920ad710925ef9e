import { readFile, stat } from 'node:fs/promises';
import { olderFormats, type Run, type Trace, traceFormat } from '../../machines/trace/format.ts';
import { ofToday } from '../../machines/trace/older/translate.ts';
import { unpackedIn } from '../../machines/trace/pack.ts';
import { damaged, foreign, type Refusal, isRefusal } from './refusal.ts';
import * as v from 'valibot';
import { clockText } from './text.ts';
import { traceSchema } from './trace-schema.ts';

/** The parser stopped because the text ends, not because of a wrong character. */
const isCutOff = (text: string, message: string): boolean => {
  const position = /at position (\d+)/.exec(message)?.[1];
  return message.startsWith('Unexpected end') || (position !== undefined && Number(position) >= text.trimEnd().length);
};

const parsed = (text: string): { json: unknown } | Refusal => {
  if (text.trim() === '') return damaged('The file is empty.');
  try {
    return { json: JSON.parse(text) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (isCutOff(text, message)) return damaged('The file ends in the middle: it is not all there.');
    const place = /line \d+ column \d+/.exec(message)?.[0];
    return foreign(`The file is not JSON${place ? `: what stands at ${place} is not` : ''}.`);
  }
};

const otherFormat = (json: unknown): Refusal | null => {
  if (typeof json !== 'object' || json === null || !('format' in json) || !('runs' in json)) {
    return foreign('The file is JSON, but not a record of a visit.');
  }
  if (json.format === traceFormat || olderFormats.some((format) => format === json.format)) return null;
  return {
    refused: `The record is of format ${JSON.stringify(json.format)?.slice(0, 20)}; this version reads formats ${olderFormats.join(', ')} and ${traceFormat}.`,
    advice: 'Replay it with the version of Colophon that the shop ran at that time.',
  };
};

/** Puts the values of the table in their places, if the record has one. */
const unpackedJson = (json: unknown): { json: unknown } | Refusal => {
  try {
    const whole = unpackedIn(json as Trace);
    const bounds = whole === json ? null : limitExceeded(whole);
    return bounds === null ? { json: whole } : foreign(`The file was not written by the shop. ${bounds}`);
  } catch (error) {
    const why = error instanceof RangeError ? ` ${error.message}.` : '';
    return foreign(`The file was changed by hand or is damaged.${why}`);
  }
};

/** Says what is wrong with the order of a run's steps: each may be well-formed, yet no recorder writes them so. */
const outOfOrder = ({ steps }: Run, run: number): string | null => {
  const at = steps.findIndex((step, index) => step.at < (steps[index - 1]?.at ?? 0));
  if (at !== -1) return `Step ${at + 1} of run ${run + 1} comes before the one above it.`;
  const start = steps.findIndex(({ input }, index) => (input.kind === 'start') !== (index === 0));
  return start === -1 ? null : `Run ${run + 1} does not begin with its start alone: see its step ${start + 1}.`;
};

const endOf = ({ startedAt, steps }: Run): number => startedAt + (steps.at(-1)?.at ?? 0);

/**
 * Says which run begins before the previous one ends. A tab has one page at a time and the
 * recorder's clock never goes back, so such a file was edited; its runs have no reliable order.
 */
const overlapping = (runs: readonly Run[]): string | null => {
  const early = (run: Run, index: number): number => {
    const before = runs[index - 1];
    return before === undefined ? 0 : endOf(before) - run.startedAt;
  };
  const at = runs.findIndex((run, index) => early(run, index) > 0);
  const run = runs[at];
  return run === undefined ? null : `Run ${at + 1} begins ${clockText(early(run, at))} before the end of the run above it.`;
};

/** Translates a record of an older shop; a forged one may hold anything in place of a state. */
const translated = (trace: Trace): Trace | Refusal => {
  try {
    return ofToday(trace);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return foreign(`The file was changed by hand: it cannot be translated (${why.slice(0, 200)}).`);
  }
};

/** Reads the text of a trace file: a trace for today's machines, or a refusal of any other text. */
const parseTrace = (text: string): Trace | Refusal => {
  const result = parsed(text.replace(/^\uFEFF/, ''));
  if (isRefusal(result)) return result;
  const { json } = result;
  const bounds = limitExceeded(json);
  if (bounds !== null) return foreign(`The file was not written by the shop. ${bounds}`);
  const refusal = otherFormat(json);
  if (refusal) return refusal;
  const whole = unpackedJson(json);
  if (isRefusal(whole)) return whole;
  const { success, output, issues } = v.safeParse(traceSchema, whole.json, { abortEarly: true });
  if (!success) {
    const [issue] = issues;
    return foreign(`The file was changed by hand or is damaged. ${v.getDotPath(issue) ?? 'At its top'}: ${issue.message}.`);
  }
  const disorder = output.runs.map(outOfOrder).find((each) => each !== null) ?? overlapping(output.runs);
  return disorder === null ? translated(output) : foreign(`The file was changed by hand. ${disorder}`);
};

/** A record by the shop has no more than 2 million characters; larger files are not even read. In bytes. */
const largestFile = 8 * 1024 * 1024;

/** Levels of nesting; records have about 20. */
const deepest = 64;

/** Keys that mean something to JavaScript itself: no record has them. */
const hostileKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

type KeyPath = { key: string; within: KeyPath | null };
type Visit = { value: object; keyPath: KeyPath | null; level: number };

const textOf = (keyPath: KeyPath | null): string => {
  const keys: string[] = [];
  for (let at = keyPath; at; at = at.within) keys.unshift(at.key);
  return keys.slice(0, 6).join('.') + (keys.length > 6 ? '…' : '') || 'its top';
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What is wrong with the shape of parsed JSON, and where; null when nothing is. Does not recurse, however deep the value. */
const limitExceeded = (root: unknown): string | null => {
  const waiting: Visit[] = isObject(root) ? [{ value: root, keyPath: null, level: 1 }] : [];
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const { value, keyPath, level } = visit;
    if (level > deepest) return `It is nested more than ${deepest} levels deep, at ${textOf(keyPath)}.`;
    for (const key of Object.keys(value)) {
      if (hostileKeys.has(key)) return `It has a key “${key}”, at ${textOf(keyPath)}.`;
      const part = (value as Record<string, unknown>)[key];
      if (isObject(part)) waiting.push({ value: part, keyPath: { key, within: keyPath }, level: level + 1 });
    }
  }
  return null;
};

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  ENOTDIR: 'There is no such file.',
  EACCES: 'The file may not be read.',
  ENAMETOOLONG: 'There is no such file: the name is too long.',
};

const couldNotRead = (error: unknown): Refusal => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { refused: unreadable[code] ?? `The file could not be read (${code}).`, advice: 'Check the path, and who may read it.' };
};

/** Reads a trace file. What is too large is refused by its size, before it is read. */
export const readTrace = async (path: string): Promise<Trace | Refusal> => {
  try {
    const about = await stat(path);
    if (!about.isFile()) return foreign('That is not a file.');
    if (about.size > largestFile) {
      return foreign(`The file is too large: ${megabytes(about.size)}, and a record has at most ${megabytes(largestFile)}.`);
    }
    const text = await readFile(path, 'utf8');
    return text.includes('\0') ? damaged('The file is not text.') : parseTrace(text);
  } catch (error) {
    return couldNotRead(error);
  }
};
