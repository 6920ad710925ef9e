import * as v from 'valibot';
import { formatVersion, type Run, type Trace } from '../../machines/trace/format.ts';
import { limitExceeded } from './limits.ts';
import { damaged, foreign, isRefusal, type Refusal } from './refusal.ts';
import { traceSchema } from './trace-schema.ts';

/** The parser stopped for want of text, not because of what stands there. */
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
  if (json.format === formatVersion) return null;
  return {
    refused: `The record is of format ${JSON.stringify(json.format)?.slice(0, 20)}; this version reads format ${formatVersion}.`,
    advice: 'Replay it with the version of Colophon that the shop ran at that time.',
  };
};

/** What no recorder writes although each step by itself is well-formed. */
const outOfOrder = ({ steps }: Run, run: number): string | null => {
  const at = steps.findIndex((step, place) => step.at < (steps[place - 1]?.at ?? 0));
  if (at !== -1) return `Step ${at + 1} of run ${run + 1} comes before the one above it.`;
  const start = steps.findIndex(({ input }, place) => (input.kind === 'start') !== (place === 0));
  return start === -1 ? null : `Run ${run + 1} does not begin with its start alone: see its step ${start + 1}.`;
};

/** Reads the text of a trace file; whatever stands there, the answer is a trace of this format or a refusal. */
export const parseTrace = (text: string): Trace | Refusal => {
  const result = parsed(text.replace(/^\uFEFF/, ''));
  if (isRefusal(result)) return result;
  const { json } = result;
  const bounds = limitExceeded(json);
  if (bounds !== null) return foreign(`The file was not written by the shop. ${bounds}`);
  const refusal = otherFormat(json);
  if (refusal) return refusal;
  const { success, output, issues } = v.safeParse(traceSchema, json, { abortEarly: true });
  if (!success) {
    const [issue] = issues;
    return foreign(`The file was changed by hand or is damaged. ${v.getDotPath(issue) ?? 'At its top'}: ${issue.message}.`);
  }
  const disorder = output.runs.map(outOfOrder).find((each) => each !== null);
  return disorder === undefined ? output : foreign(`The file was changed by hand. ${disorder}`);
};
