import { titlePath } from '../../../machines/model/paths.ts';
import { requestPort } from '../../../machines/ports.ts';
import { throwProblem, offlineProblem } from '../../client/wire/problem.ts';
import { awaitElement } from '../../ui/await-element.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';
import * as v from 'valibot';
import type { Api } from '../../client/wire/client.ts';
import { readJsonResponse } from '../../client/wire/json.ts';

const TokenResponse = v.object({ token: v.pipe(v.string(), v.nonEmpty()) });

/** Fetches the token that identifies the customer to the store's comments service. */
const fetchCoralToken = async (api: Api, signal?: AbortSignal): Promise<string> => {
  const { token } = await readJsonResponse(
    api,
    'coral/token',
    api.client.GET('/coral/token', api.readOptions(signal)),
    TokenResponse,
  );
  return token;
};

type StreamOptions = { id: string; autoRender: true; rootURL: string; storyID: string; storyURL: string; accessToken?: string };

/** The global that Coral's own script sets. */
type Coral = { createStreamEmbed: (stream: StreamOptions) => unknown };

const getCoral = (page: Window): Coral | undefined => (page as { Coral?: Coral }).Coral;

/**
 * Adds Coral's script to the page and waits until it has run. It is added again for each stream;
 * the browser caches it.
 */
const runScript = (src: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => reject(new Error(`The comments script could not be loaded: ${src}`));
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', fail);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    document.head.append(script);
  });

type CommentsContext = Pick<AppEnvironment, 'api' | 'token'>;

/**
 * Fetches the customer's comment token. Without one, as for a visitor, the comments are read-only.
 */
const fetchAccessToken = async ({ api, token }: CommentsContext, signal: AbortSignal): Promise<{ accessToken?: string }> => {
  if (!token()) return {};
  return fetchCoralToken(await api(), signal).then(
    (accessToken) => ({ accessToken }),
    () => ({}),
  );
};

/**
 * Creates the port that renders the comments on a title by the configured Coral service, in the
 * element `[data-in-view="comments"]`.
 */
export const createCommentsPort = (environment: CommentsContext) =>
  requestPort<null, { titleId: string; name: string }>(async ({ input: { titleId, name }, signal }) => {
    const { config } = await environment.api();
    const rootURL = config.coralHost ?? '';
    if (rootURL === '') return throwProblem({ kind: 'refused', code: 'not_found', message: '' });
    const [container, tokenOptions] = await Promise.all([
      awaitElement('data-in-view', 'comments', signal),
      fetchAccessToken(environment, signal),
      runScript(`${rootURL}/assets/js/embed.js`, signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
        return throwProblem(offlineProblem());
      }),
    ]);
    const coral = getCoral(window) ?? throwProblem({ kind: 'malformed', call: 'coral', field: 'Coral', message: '' });
    const stream = document.createElement('div');
    stream.id = 'coral_thread';
    container.replaceChildren(stream);
    const storyURL = new URL(titlePath(titleId, name), location.origin).href;
    coral.createStreamEmbed({ id: stream.id, autoRender: true, rootURL, storyID: titleId, storyURL, ...tokenOptions });
    return null;
  });
