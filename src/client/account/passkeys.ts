import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import * as v from 'valibot';
import type { AddedPasskey, Passkey } from '../../../machines/model/account/passkey.ts';
import { createDeviceQuery, readIssuedSession, type BrowserDevice, type IssuedSession } from './account.ts';
import type { Api } from '../wire/client.ts';
import { toIsoDate } from '../wire/date.ts';
import { readJsonResponse } from '../wire/json.ts';
import { fallbackIfMissing, throwProblem } from '../wire/problem.ts';

const NonEmptyText = v.pipe(v.string(), v.nonEmpty());

const PasskeyList = v.object({
  added: v.optional(v.string(), ''),
  passkeys: v.array(
    v.object({
      passkeyId: NonEmptyText,
      name: v.string(),
      addedAt: v.optional(v.string(), ''),
      lastUsedAt: v.optional(v.string(), ''),
    }),
  ),
});

const OptionsResponse = v.object({ options: v.record(v.string(), v.unknown()) });

const toPasskeys = ({ passkeys }: v.InferOutput<typeof PasskeyList>): Passkey[] =>
  passkeys.map(({ passkeyId, name, addedAt, lastUsedAt }) => ({
    id: passkeyId,
    name,
    addedAt: toIsoDate(addedAt),
    lastUsedAt: toIsoDate(lastUsedAt),
  }));

/** Whether passkeys can be created and used here: browsers refuse both at an IP address. */
export const canUsePasskeys = (): boolean => browserSupportsWebAuthn() && !/^[\d.]+$|:/.test(location.hostname);

/** The customer's passkeys, the latest first. */
export const fetchPasskeys = async (api: Api, signal: AbortSignal): Promise<Passkey[]> =>
  toPasskeys(
    await readJsonResponse(api, 'user/passkeys', api.client.GET('/user/passkeys', api.readOptions(signal)), PasskeyList),
  );

/**
 * Maps names of browser errors to refusals; a browser does not distinguish a cancellation from a
 * timeout.
 */
const refusalCodes: Record<string, string> = {
  NotAllowedError: 'passkey_cancelled',
  AbortError: 'passkey_cancelled',
  InvalidStateError: 'passkey_known',
};

/** Milliseconds that the server accepts a signature after it issued the challenge. */
const deviceTimeoutMs = 300_000;

/**
 * Lets the device ask the customer, until the customer answers or leaves the screen, or the time
 * limit passes.
 */
const withDevicePrompt = async <Answer>(signal: AbortSignal, prompt: () => Promise<Answer>): Promise<Answer> => {
  signal.throwIfAborted();
  const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(deviceTimeoutMs)]);
  const cancel = () => WebAuthnAbortService.cancelCeremony();
  limitedSignal.addEventListener('abort', cancel);
  try {
    return await prompt();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    return throwProblem({ kind: 'refused', code: refusalCodes[name] ?? 'passkey_unsupported', message: '' });
  } finally {
    limitedSignal.removeEventListener('abort', cancel);
  }
};

/**
 * Adds a passkey of this device to the account.
 * @param name the label that the customer will recognise it by
 * @throws Problem `refused`: `passkey_cancelled`, `passkey_known`, `passkey_unsupported`,
 * `sign_in_again`, `passkeys_full`, `passkey_over`, `passkey_refused`.
 */
export const addPasskey = async (api: Api, name: string, signal: AbortSignal): Promise<AddedPasskey> => {
  const startPromise = api.client.POST('/user/passkeys/start', api.changeOptions(null, signal));
  const { options } = await readJsonResponse(api, 'user/passkeys/start', startPromise, OptionsResponse);
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, type, response } = await withDevicePrompt(signal, () => startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const credential = { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
  const body = { name: name.slice(0, 100), credential };
  const addPromise = api.client.POST('/user/passkeys/add', { body, ...api.changeOptions(null, signal) });
  const passkeyList = await readJsonResponse(api, 'user/passkeys/add', addPromise, PasskeyList);
  return { passkeys: toPasskeys(passkeyList), addedId: passkeyList.added };
};

/**
 * Renames a passkey. @returns all passkeys
 * @throws Problem `refused not_found`
 */
export const renamePasskey = async (api: Api, passkeyId: string, name: string, signal: AbortSignal): Promise<Passkey[]> => {
  const renamePromise = api.client.POST('/user/passkeys/rename', {
    body: { passkeyId, name },
    ...api.changeOptions(null, signal),
  });
  return toPasskeys(await readJsonResponse(api, 'user/passkeys/rename', renamePromise, PasskeyList));
};

/**
 * Deletes a passkey. @returns the passkeys that are left
 * @throws Problem `refused`: `last_way_in`, `sign_in_again`
 */
export const removePasskey = async (api: Api, passkeyId: string, signal: AbortSignal): Promise<Passkey[]> => {
  const removePromise = api.client.POST('/user/passkeys/remove', { body: { passkeyId }, ...api.changeOptions(null, signal) });
  return toPasskeys(await readJsonResponse(api, 'user/passkeys/remove', removePromise, PasskeyList));
};

type PasskeyAssertion = Awaited<ReturnType<typeof startAuthentication>>;

/**
 * Fetches the options with the challenge that a device signs. `autofill`: requested by the page
 * itself, not by the customer's press.
 */
const fetchRequestOptions = async (
  api: Api,
  signal: AbortSignal,
  autofill = false,
): Promise<PublicKeyCredentialRequestOptionsJSON> => {
  const query = { appid: api.config.appId, ...(autofill ? { autofill } : {}) };
  const startPromise = api.client.POST('/user/passkey/start', { params: { query }, ...api.changeOptions(null, signal) });
  const { options } = await readJsonResponse(api, 'user/passkey/start', startPromise, OptionsResponse);
  return options as unknown as PublicKeyCredentialRequestOptionsJSON;
};

const finishSignIn = (
  api: Api,
  device: BrowserDevice,
  { id, rawId, type, response }: PasskeyAssertion,
): Promise<IssuedSession> => {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const assertionResponse = { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) };
  const responsePromise = api.client.POST('/user/passkey/signin', {
    params: { query: createDeviceQuery(api, device) },
    body: { credential: { id, rawId, type, response: assertionResponse } },
    ...api.changeOptions(null),
  });
  return readIssuedSession(api, 'user/passkey/signin', responsePromise);
};

/**
 * Signs in with a passkey of this device.
 * @throws Problem `refused`: `passkey_cancelled`, `passkey_unsupported`, `passkey_over`,
 * `passkey_refused`.
 */
export const signInByPasskey = async (api: Api, device: BrowserDevice, signal: AbortSignal): Promise<IssuedSession> => {
  const optionsJSON = await fetchRequestOptions(api, signal);
  return finishSignIn(api, device, await withDevicePrompt(signal, () => startAuthentication({ optionsJSON })));
};

/** Milliseconds after which the autofill request is renewed, before its challenge expires. */
const autofillLifetimeMs = 240_000;

/** Resolves when the page is visible; a hidden page needs no autofill request. */
const whenVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const resolveIfVisible = () => {
      if (document.visibilityState === 'visible' || signal.aborted) {
        document.removeEventListener('visibilitychange', resolveIfVisible);
        resolve();
      }
    };
    document.addEventListener('visibilitychange', resolveIfVisible);
    signal.addEventListener('abort', resolveIfVisible, { once: true });
    resolveIfVisible();
  });

/**
 * Lets the browser offer this device's passkeys in the e-mail field, until the customer chooses
 * one.
 * @returns null where the browser or the server has no support, or the browser has ended the
 * request
 * @throws Problem `refused`: `passkey_over`, `passkey_refused`.
 */
export const autofillPasskey = async (api: Api, device: BrowserDevice, signal: AbortSignal): Promise<IssuedSession | null> => {
  if (!canUsePasskeys() || !(await browserSupportsWebAuthnAutofill())) return null;
  while (true) {
    await whenVisible(signal);
    const optionsJSON = await fetchRequestOptions(api, signal, true).catch((error: unknown) => fallbackIfMissing(error, null));
    if (optionsJSON === null) return null;
    const expirySignal = AbortSignal.timeout(autofillLifetimeMs);
    const assertionPromise = withDevicePrompt(AbortSignal.any([signal, expirySignal]), () =>
      startAuthentication({ optionsJSON, useBrowserAutofill: true, verifyBrowserAutofillInput: false }),
    );
    const assertion = await assertionPromise.catch(() => null);
    signal.throwIfAborted();
    if (assertion !== null) return finishSignIn(api, device, assertion);
    if (!expirySignal.aborted) return null;
  }
};
