import { listLinkedProviders } from '../../providers/linked-providers.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { savePendingSignIn, consumePendingSignIn } from '../../providers/pending-sign-ins.ts';
import { linkProvider as join, removeLinkedProvider as remove } from '../../providers/join.ts';
import { findProvider, PHONE_ISSUER } from '../../providers/provider.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { limitCaller } from '../calls/limits.ts';
import { parsePhone, consumePhoneCode } from './phone.ts';
import { getReturnUrl, signInOverError } from './providers.ts';
import { notFound } from '../../kernel/errors.ts';
import { requireRecentSignIn } from '../calls/require-recent-sign-in.ts';

const toJoinContext = ({ services, store, customer, request, spoken }: CustomerCall) => ({
  storeId: store.id,
  userId: customer.id,
  tokenHash: customer.tokenHash,
  email: customer.email,
  address: request.ip,
  language: spoken.language,
  origin: getStoreOrigin(store, request, services.config),
});

async function readProviders({ services, store, customer }: CustomerCall) {
  const ways = await listLinkedProviders(services.db, { storeId: store.id, userId: customer.id });
  return {
    providers: ways.map(({ provider: { id, kind, name }, identities }) => ({
      providerId: id,
      kind,
      name,
      joined: identities.length > 0,
    })),
  };
}

/** The providers of the store, and which of them are linked to this customer's account. */
export async function ownProviders(call: CustomerCall<'ownProviders'>): Answer<'ownProviders'> {
  return readProviders(call);
}

/**
 * Starts linking a provider to the account: returns the URL for the browser, except for a
 * telephone, to which a code is sent next.
 */
export async function startJoining(call: CustomerCall<'startJoining'>): Answer<'startJoining'> {
  const { services, store, customer, body } = call;
  await limitCaller(call, 'provider');
  const provider = await findProvider(services.db, store.id, body.providerId);
  if (!provider) throw notFound('provider');
  await requireRecentSignIn(call);
  if (provider.kind === 'phone') return {};
  const { url, begun } = await services.providers.begin(provider, getReturnUrl(call));
  await savePendingSignIn(services.db, store.id, provider.id, begun, { userId: customer.id, tokenHash: customer.tokenHash });
  return { url, state: begun.state };
}

/**
 * Links the identity that the provider has confirmed. Only the session that started it can finish:
 * no attacker can link their own identity to another account.
 */
export async function joinProvider(call: CustomerCall<'joinProvider'>): Answer<'joinProvider'> {
  const { services, store, customer, body } = call;
  await limitCaller(call, 'provider');
  const joiner = { userId: customer.id, tokenHash: customer.tokenHash };
  const taken = await consumePendingSignIn(services.db, store.id, body.state, joiner);
  const provider = taken && (await findProvider(services.db, store.id, taken.providerId));
  if (!taken || !provider) throw signInOverError();
  const person = await services.providers.finish(provider, taken.begun, { code: body.code, issuer: body.issuer });
  await join(services.db, toJoinContext(call), person);
  return readProviders(call);
}

/** Links a telephone by the code that was sent to it. */
export async function joinPhone(call: CustomerCall<'joinPhone'>): Answer<'joinPhone'> {
  const { services, body } = call;
  await requireRecentSignIn(call);
  const { number: phone } = await parsePhone(call, body.phone);
  await consumePhoneCode(call, { phone, code: body.code, requestId: body.requestId });
  const person = { issuer: PHONE_ISSUER, subject: phone, email: '', emailVerified: false, name: '' };
  await join(services.db, toJoinContext(call), person);
  return readProviders(call);
}

/**
 * Unlinks a provider from the account, unless it is the only way in. The customer must have signed
 * in a moment ago.
 */
export async function removeProvider(call: CustomerCall<'removeProvider'>): Answer<'removeProvider'> {
  await requireRecentSignIn(call);
  await remove(call.services.db, toJoinContext(call), call.body.providerId);
  return readProviders(call);
}
