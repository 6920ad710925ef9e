import * as v from 'valibot';
import type { CodeSent, TypedCode } from '../../../machines/model/account/phone.ts';
import type { Provider } from '../../../machines/model/account/provider.ts';
import { deviceQuery, issuedSession, type Device, type IssuedSession } from './account.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { checked } from '../wire/problem.ts';
import { orWithoutCall } from '../wire/unknown-call.ts';
import { xmlBody } from '../wire/xml-body.ts';
import { childrenOf, textIn } from '../wire/xml-node.ts';

const text = v.pipe(v.string(), v.nonEmpty());

const Known = v.object({ id: text, kind: v.picklist(['oidc', 'facebook', 'phone']), name: text });

const asked = async (api: Api, signal: AbortSignal): Promise<unknown[]> => {
  const root = await xmlAnswer(api, 'user/providers', api.client.GET('/user/providers', api.reading(signal)), 'providers');
  return childrenOf(root, 'Provider').map((node) => ({
    id: textIn(node, 'Id'),
    kind: textIn(node, 'Kind')?.toLowerCase(),
    name: textIn(node, 'Name'),
  }));
};

/**
 * By whom customers may sign in, in the order shown. One of a kind that this shop does not know is
 * left out. Of a server without the call, those that `/config.json` names.
 */
export const providers = async (api: Api, signal: AbortSignal): Promise<Provider[]> => {
  const given = await asked(api, signal).catch((error: unknown) =>
    orWithoutCall(api, 'user/providers', error, () => api.config.providers ?? []),
  );
  return given.filter((each) => v.is(Known, each));
};

/** Anything else could run in the shop's own name. */
export const isWebAddress = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '');

const Begun = v.object({ url: v.pipe(text, v.check(isWebAddress, 'no web address')), state: text });

/**
 * Begins to sign in by a provider: where to go, and what to come back with.
 * @throws Problem `refused provider_unreachable`, or `not_found` for one that the store no longer has.
 */
export const startProviderSignIn = async (
  api: Api,
  providerId: string,
  signal: AbortSignal,
): Promise<v.InferOutput<typeof Begun>> => {
  const call = 'user/provider/start';
  const sending = api.client.POST('/user/provider/start', {
    params: { query: { appid: api.config.appId } },
    body: { ProviderId: providerId },
    bodySerializer: xmlBody('StartProviderSignIn'),
    ...api.changing(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  const root = await xmlAnswer(api, call, sending, 'providersignin');
  return checked(call, Begun, { url: textIn(root, 'Url'), state: textIn(root, 'State') });
};

/**
 * Signs in whom a provider has sent back. An empty issuer was not given.
 * @throws Problem `refused`: `sign_in_over`, `provider_refused`, `provider_unreachable`, `email_unverified`.
 */
export const finishProviderSignIn = (
  api: Api,
  { state, code, issuer }: { state: string; code: string; issuer: string },
  device: Device,
): Promise<IssuedSession> => {
  const sending = api.client.POST('/user/provider/finish', {
    params: { query: deviceQuery(api, device) },
    body: { State: state, Code: code, ...(issuer === '' ? {} : { Issuer: issuer }) },
    bodySerializer: xmlBody('FinishProviderSignIn'),
    ...api.changing(null),
    headers: { 'Content-Type': 'text/xml' },
  });
  return issuedSession(api, 'user/provider/finish', sending);
};

/**
 * Has a code sent to a telephone; `sentAt` where a message that was sent before has it, and the
 * server says so. `requestId` goes along with the code; empty where a server
 * answers none, and then the number and the code suffice.
 * @throws Problem `refused`: `bad_phone`, `phone_kind`, `phone_country`, `phone_country_full`,
 * `message_not_sent`.
 */
export const sendPhoneCode = async (api: Api, phone: string, signal: AbortSignal): Promise<CodeSent> => {
  const sending = api.client.POST('/user/phone/code', {
    params: { query: { appid: api.config.appId } },
    body: { Phone: phone },
    bodySerializer: xmlBody('SendPhoneCode'),
    ...api.changing(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  const root = await xmlAnswer(api, 'user/phone/code', sending, 'result');
  const sentAt = textIn(root, 'SentAt') ?? '';
  return {
    sentAt: Number.isNaN(Date.parse(sentAt)) ? null : sentAt,
    pii: { requestId: textIn(root, 'RequestId') ?? '' },
  };
};

/** @throws Problem `refused`: `code_wrong`, `code_over`. */
export const signInByPhone = (api: Api, { phone, code, requestId }: TypedCode, device: Device): Promise<IssuedSession> => {
  const sending = api.client.POST('/user/phone/signin', {
    params: { query: deviceQuery(api, device) },
    body: { Phone: phone, Code: code, ...(requestId === '' ? {} : { RequestId: requestId }) },
    bodySerializer: xmlBody('PhoneSignIn'),
    ...api.changing(null),
    headers: { 'Content-Type': 'text/xml' },
  });
  return issuedSession(api, 'user/phone/signin', sending);
};
