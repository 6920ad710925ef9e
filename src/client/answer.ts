import type { Problem } from '../../machines/model/problem.ts';
import { textOf } from './body.ts';
import { parsed, refusalIn } from './json.ts';
import { httpProblem, malformed, problemOfFailure, raise, type RunCall } from './problem.ts';
import { problemOfRefusal, stableWord, type Refusal } from './refusal.ts';
import { numberIn, textIn, type XmlNode } from './xml-node.ts';
import { readDocument } from './xml-document.ts';
import type { XmlReading } from './xml-reader.ts';

/** The streaming parser is a part of its own, fetched for the first long list. */
const loadReader = async () => {
  try {
    return await import('./xml-reader.ts');
  } catch (error) {
    return raise(problemOfFailure(error));
  }
};

/** The error document that an XML answer is, or null. */
const refusalOf = (root: XmlNode): Refusal | null => {
  if (root.name !== 'error') return null;
  const status = textIn(root, 'status') ?? '';
  // Whatever else the document says, this Status means the store (specification section 8).
  const code = stableWord(status) === 'invalid' ? 'invalid' : stableWord(textIn(root, 'code') ?? status);
  return { status: numberIn(root, 'statuscode') ?? null, code: code || 'error', message: textIn(root, 'message') ?? '' };
};

/** A text that is here already needs no streaming. */
const wholeXml = async (call: string, text: string): Promise<XmlNode> =>
  readDocument(call, text) ?? (await loadReader()).readXml(call, new Response(text));

const largestError = 64 * 1024;

const refusalInText = async (text: string): Promise<Refusal | null> => {
  if (!text.trimStart().startsWith('<')) return refusalIn(parsed(text));
  return refusalOf(await wholeXml('error', text));
};

/**
 * What an answer outside 200 to 299 means: its error document when it brings one with a word in it, else
 * `HTTP Error: {status}`. Never rejects.
 */
export const problemOfAnswer = async (response: Response): Promise<Problem> => {
  const { status } = response;
  try {
    const refusal = await refusalInText(await textOf('error', response, largestError));
    if (refusal?.code) return problemOfRefusal(refusal, status);
  } catch {
    // A page of some proxy, or a torn answer: the status alone speaks.
  }
  return status === 401 ? { kind: 'unauthorized' } : httpProblem(status);
};

/**
 * The root of an XML answer.
 * @param reading what a long list hands out while it arrives; without it the answer is read whole.
 * @param expected the root's name in lower case, so that some other page is not taken for an empty list.
 * @throws Problem as the error catalogue has it.
 */
export const xmlAnswer = (
  api: { runCall: RunCall },
  call: string,
  sending: Promise<{ response: Response }>,
  expected: string,
  reading?: XmlReading,
): Promise<XmlNode> =>
  api.runCall(async () => {
    // The streaming parser comes while the answer is on its way.
    const [{ response }, reader] = await Promise.all([sending, reading && loadReader()]);
    const root = reader ? await reader.readXml(call, response, reading) : await wholeXml(call, await textOf(call, response));
    const refusal = refusalOf(root);
    if (refusal) return raise(problemOfRefusal(refusal, response.status));
    return root.name === expected ? root : raise(malformed(call, '', `a ${root.name} came in place of ${expected}`));
  });
