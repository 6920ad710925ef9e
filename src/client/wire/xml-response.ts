import type { Problem } from '../../../machines/model/problem.ts';
import { readText } from './body.ts';
import { parseJson } from './json-text.ts';
import { httpProblem, malformedProblem, toFetchProblem, throwProblem, type RunCall } from './problem.ts';
import { toRefusalProblem, toErrorCode, type Refusal } from './refusal.ts';
import { getChildren, isJson, getNumber, getText, type XmlNode } from './xml-node.ts';
import { parseDocument } from './xml-document.ts';
import type { XmlStreamOptions } from './xml-reader.ts';

/** Throws the failed load of a chunk as the Problem of an unreachable server. */
const throwOffline = (error: unknown) => throwProblem(toFetchProblem(error));

/**
 * The streaming parser is a chunk of its own, loaded for the first long list or for a text that the
 * browser's parser rejects.
 */
const loadReader = () => import('./xml-reader.ts').catch(throwOffline);

const loadJsonParser = () => import('./json-node.ts').catch(throwOffline);

/** The error document of an XML answer, or null if it is not one. */
export const getRefusal = (root: XmlNode): Refusal | null => {
  if (root.name !== 'error') return null;
  const status = getText(root, 'status') ?? '';
  // Regardless of the rest of the document, this Status is about the store (specification section
  // 8).
  const code = toErrorCode(status) === 'invalid' ? 'invalid' : toErrorCode(getText(root, 'code') ?? status);
  const supportEmail = getText(root, 'supportemail');
  return {
    status: getNumber(root, 'statuscode') ?? null,
    code: code || 'error',
    message: getText(root, 'message') ?? '',
    ...(supportEmail === undefined ? {} : { supportEmail }),
  };
};

/** Parses a complete text, by the browser's own parser if it can. */
export const readWholeXml = async (call: string, text: string): Promise<XmlNode> =>
  parseDocument(call, text) ?? (await loadReader()).readXml(call, new Response(text));

/** Documents that only confirm success or validity; an empty answer confirms it, too. */
const mayBeEmpty = new Set(['result', 'resettoken']);

const readWholeResponse = async (call: string, response: Response, expected: string): Promise<XmlNode> => {
  const text = await readText(call, response);
  if (text.trim() === '' && mayBeEmpty.has(expected)) return { name: expected, text: '', children: [] };
  return isJson(text) ? (await loadJsonParser()).parseJsonNode(call, text, response.status, expected) : readWholeXml(call, text);
};

const maxErrorBytes = 64 * 1024;

const parseRefusal = async (text: string, status: number): Promise<Refusal | null> => {
  if (isJson(text)) return (await loadJsonParser()).getJsonRefusal(parseJson(text), status);
  return getRefusal(await readWholeXml('error', text));
};

/** Adds the time for a retry, where the Retry-After header of a refused call gives seconds. */
const addRetryAfter = (problem: Problem, { headers }: Response): Problem => {
  const seconds = Number(headers.get('retry-after'));
  return problem.kind === 'refused' && seconds > 0 ? { ...problem, retryAfterSeconds: seconds } : problem;
};

/**
 * The Problem of an answer outside 200 to 299: from its error document if that has a code, else
 * `unauthorized` for a 401 and `HTTP Error: {status}` for other statuses. Never rejects.
 */
export const toResponseProblem = async (response: Response): Promise<Problem> => {
  const { status } = response;
  try {
    const refusal = await parseRefusal(await readText('error', response, maxErrorBytes), status);
    if (refusal?.code) return addRetryAfter(toRefusalProblem(refusal, status), response);
  } catch {
    // A proxy's page or an incomplete answer: only the status counts.
  }
  return status === 401 ? { kind: 'unauthorized' } : httpProblem(status);
};

/**
 * Roots of documents that are not from the store: a proxy's page, or a server failure without an
 * error document.
 */
const foreignRoot = /(html|fault|exception|error|errors|envelope)$/;

/**
 * The content of an answer: its root under any name, or the root's child with the expected name.
 * Siblings of that child, such as the number of titles, are included.
 */
const unwrapContent = (call: string, root: XmlNode, expected: string): XmlNode => {
  // The answer is the only item of a list, without the list around it.
  if (expected === `${root.name}s`) return { name: expected, text: '', children: [root] };
  if (foreignRoot.test(root.name))
    return throwProblem(malformedProblem(call, '', `the root is ${root.name}, expected ${expected}`));
  const content = root.name === expected ? undefined : getChildren(root, expected).find(({ children }) => children.length > 0);
  return content ? { ...content, children: [...content.children, ...root.children.filter((each) => each !== content)] } : root;
};

/**
 * The content of an XML answer. A JSON answer is converted as if it were XML, since the
 * specification leaves the format of each call open.
 * @param expected the usual name of the root, in lower case.
 * @param streamOptions callbacks for a long list while it arrives; without them the answer is read
 * as a whole.
 * @throws Problem of any kind.
 */
export const readXmlResponse = (
  api: { runCall: RunCall },
  call: string,
  responsePromise: Promise<{ response: Response }>,
  expected: string,
  streamOptions?: XmlStreamOptions,
): Promise<XmlNode> =>
  api.runCall(call, async () => {
    // The streaming parser loads while the answer is on its way.
    const [{ response }, reader] = await Promise.all([responsePromise, streamOptions && loadReader()]);
    // 204 "No content" is an empty list.
    if (response.status === 204) return { name: expected, text: '', children: [] };
    const root = reader
      ? await reader.readXml(call, response, { ...streamOptions, root: expected })
      : await readWholeResponse(call, response, expected);
    const refusal = getRefusal(root);
    if (refusal) return throwProblem(toRefusalProblem(refusal, response.status));
    return unwrapContent(call, root, expected);
  });
