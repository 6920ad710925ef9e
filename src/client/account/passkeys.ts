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
import { deviceQuery, issuedSession, type Device, type IssuedSession } from './account.ts';
import type { Api } from '../wire/client.ts';
import { isoDate } from '../wire/date.ts';
import { jsonAnswer } from '../wire/json.ts';
import { orWhenMissing, raise } from '../wire/problem.ts';

const text = v.pipe(v.string(), v.nonEmpty());

const List = v.object({
  added: v.optional(v.string(), ''),
  passkeys: v.array(
    v.object({ passkeyId: text, name: v.string(), addedAt: v.optional(v.string(), ''), lastUsedAt: v.optional(v.string(), '') }),
  ),
});

const Options = v.object({ options: v.record(v.string(), v.unknown()) });

const listed = ({ passkeys }: v.InferOutput<typeof List>): Passkey[] =>
  passkeys.map(({ passkeyId, name, addedAt, lastUsedAt }) => ({
    id: passkeyId,
    name,
    addedAt: isoDate(addedAt),
    lastUsedAt: isoDate(lastUsedAt),
  }));

/** Whether passkeys can be made and used here: browsers do neither at an address without a name. */
export const canUsePasskeys = (): boolean => browserSupportsWebAuthn() && !/^[\d.]+$|:/.test(location.hostname);

/** The customer's passkeys, the latest first. */
export const userPasskeys = async (api: Api, signal: AbortSignal): Promise<Passkey[]> =>
  listed(await jsonAnswer(api, 'user/passkeys', api.client.GET('/user/passkeys', api.reading(signal)), List));

/** What the browser's refusals mean, by their names; a browser does not tell a "no" from a wait that was too long. */
const refusals: Record<string, string> = {
  NotAllowedError: 'passkey_cancelled',
  AbortError: 'passkey_cancelled',
  InvalidStateError: 'passkey_known',
};

/** Milliseconds for which the server waits for what a device has signed. */
const deviceLimit = 300_000;

/** Has the customer asked by their device, until they have answered or gone elsewhere, or it takes too long. */
const atDevice = async <Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> => {
  signal.throwIfAborted();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(deviceLimit)]);
  const giveUp = () => WebAuthnAbortService.cancelCeremony();
  limited.addEventListener('abort', giveUp);
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    return raise({ kind: 'refused', code: refusals[name] ?? 'passkey_unsupported', message: '' });
  } finally {
    limited.removeEventListener('abort', giveUp);
  }
};

/**
 * Adds a passkey of this device to the account.
 * @param name what the customer is to know it by
 * @throws Problem `refused`: `passkey_cancelled`, `passkey_known`, `passkey_unsupported`, `sign_in_again`, `passkeys_full`, `passkey_over`,
 * `passkey_refused`.
 */
export const addPasskey = async (api: Api, name: string, signal: AbortSignal): Promise<AddedPasskey> => {
  const starting = api.client.POST('/user/passkeys/start', api.changing(null, signal));
  const { options } = await jsonAnswer(api, 'user/passkeys/start', starting, Options);
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, type, response } = await atDevice(signal, () => startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const credential = { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
  const body = { name: name.slice(0, 100), credential };
  const adding = api.client.POST('/user/passkeys/add', { body, ...api.changing(null, signal) });
  const answer = await jsonAnswer(api, 'user/passkeys/add', adding, List);
  return { passkeys: listed(answer), addedId: answer.added };
};

/** Gives a passkey another name. @throws Problem `refused not_found` */
export const renamePasskey = async (api: Api, passkeyId: string, name: string, signal: AbortSignal): Promise<Passkey[]> => {
  const renaming = api.client.POST('/user/passkeys/rename', { body: { passkeyId, name }, ...api.changing(null, signal) });
  return listed(await jsonAnswer(api, 'user/passkeys/rename', renaming, List));
};

/** Deletes a passkey, and gives those that are left. */
export const removePasskey = async (api: Api, passkeyId: string, signal: AbortSignal): Promise<Passkey[]> => {
  const removing = api.client.POST('/user/passkeys/remove', { body: { passkeyId }, ...api.changing(null, signal) });
  return listed(await jsonAnswer(api, 'user/passkeys/remove', removing, List));
};

type Chosen = Awaited<ReturnType<typeof startAuthentication>>;

/** What a device is to sign. `autofill`: the page has asked for it, and not yet its customer. */
const requestOptions = async (
  api: Api,
  signal: AbortSignal,
  autofill = false,
): Promise<PublicKeyCredentialRequestOptionsJSON> => {
  const query = { appid: api.config.appId, ...(autofill ? { autofill } : {}) };
  const starting = api.client.POST('/user/passkey/start', { params: { query }, ...api.changing(null, signal) });
  const { options } = await jsonAnswer(api, 'user/passkey/start', starting, Options);
  return options as unknown as PublicKeyCredentialRequestOptionsJSON;
};

const finish = (api: Api, device: Device, { id, rawId, type, response }: Chosen): Promise<IssuedSession> => {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const signed = { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) };
  const sending = api.client.POST('/user/passkey/signin', {
    params: { query: deviceQuery(api, device) },
    body: { credential: { id, rawId, type, response: signed } },
    ...api.changing(null),
  });
  return issuedSession(api, 'user/passkey/signin', sending);
};

/**
 * Signs in by a passkey of this device.
 * @throws Problem `refused`: `passkey_cancelled`, `passkey_unsupported`, `passkey_over`, `passkey_refused`.
 */
export const signInByPasskey = async (api: Api, device: Device, signal: AbortSignal): Promise<IssuedSession> => {
  const optionsJSON = await requestOptions(api, signal);
  return finish(api, device, await atDevice(signal, () => startAuthentication({ optionsJSON })));
};

/** Milliseconds after which the browser's offer is made anew: what it would sign is about to be too old. */
const offerLimit = 240_000;

/** Resolves when the page is looked at; nobody chooses anything in a hidden one. */
const looked = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'visible' || signal.aborted) {
        document.removeEventListener('visibilitychange', look);
        resolve();
      }
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look, { once: true });
    look();
  });

/**
 * Lets the browser offer the passkeys of this device in the address field, until one is chosen.
 * @returns null where browser or server cannot, or the browser has ended it
 * @throws Problem `refused`: `passkey_over`, `passkey_refused`.
 */
export const autofillPasskey = async (api: Api, device: Device, signal: AbortSignal): Promise<IssuedSession | null> => {
  if (!canUsePasskeys() || !(await browserSupportsWebAuthnAutofill())) return null;
  while (true) {
    await looked(signal);
    const optionsJSON = await requestOptions(api, signal, true).catch((error: unknown) => orWhenMissing(error, null));
    if (optionsJSON === null) return null;
    const tooOld = AbortSignal.timeout(offerLimit);
    const offering = atDevice(AbortSignal.any([signal, tooOld]), () =>
      startAuthentication({ optionsJSON, useBrowserAutofill: true, verifyBrowserAutofillInput: false }),
    );
    const chosen = await offering.catch(() => null);
    signal.throwIfAborted();
    if (chosen !== null) return finish(api, device, chosen);
    if (!tooOld.aborted) return null;
  }
};
