import { listLinkedProviders } from '../../providers/linked-providers.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { savePendingSignIn, consumePendingSignIn } from '../../providers/pending-sign-ins.ts';
import { linkProvider, removeLinkedProvider } from '../../providers/join.ts';
import { findProvider, PHONE_ISSUER } from '../../providers/provider.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { limitCaller } from '../calls/limits.ts';
import { parsePhone, consumePhoneCode } from './phone.ts';
import { getReturnUrl, signInOverError } from './providers.ts';
import { notFound } from '../../kernel/errors.ts';
import { requireRecentSignIn } from '../calls/require-recent-sign-in.ts';

const toLinkContext = ({ services, store, customer, request, spoken }: CustomerCall) => ({
  storeId: store.id,
  userId: customer.id,
  tokenHash: customer.tokenHash,
  email: customer.email,
  address: request.ip,
  language: spoken.language,
  origin: getStoreOrigin(store, request, services.config),
});

async function readProviders({ services, store, customer }: CustomerCall) {
  const linkedProviders = await listLinkedProviders(services.db, { storeId: store.id, userId: customer.id });
  return {
    providers: linkedProviders.map(({ provider: { id, kind, name }, identities }) => ({
      providerId: id,
      kind,
      name,
      joined: identities.length > 0,
    })),
  };
}

/** Returns the store's providers, and whether each is linked to this customer's account. */
export async function ownProviders(call: CustomerCall<'ownProviders'>): Answer<'ownProviders'> {
  return readProviders(call);
}

/**
 * Starts linking a provider to the account: returns the URL for the browser and the state that the
 * browser brings back, except for a telephone, to which a code is sent next.
 */
export async function startJoining(call: CustomerCall<'startJoining'>): Answer<'startJoining'> {
  const { services, store, customer, body } = call;
  await limitCaller(call, 'provider');
  const provider = await findProvider(services.db, store.id, body.providerId);
  if (!provider) throw notFound('provider');
  await requireRecentSignIn(call);
  if (provider.kind === 'phone') return {};
  const { url, startedSignIn } = await services.providers.begin(provider, getReturnUrl(call));
  await savePendingSignIn(services.db, store.id, provider.id, startedSignIn, {
    userId: customer.id,
    tokenHash: customer.tokenHash,
  });
  return { url, state: startedSignIn.state };
}

/**
 * Links the identity that the provider has confirmed. Only the session that started linking can
 * finish it: no attacker can link their own identity to another account.
 */
export async function joinProvider(call: CustomerCall<'joinProvider'>): Answer<'joinProvider'> {
  const { services, store, customer, body } = call;
  await limitCaller(call, 'provider');
  const session = { userId: customer.id, tokenHash: customer.tokenHash };
  const pendingSignIn = await consumePendingSignIn(services.db, store.id, body.state, session);
  const provider = pendingSignIn && (await findProvider(services.db, store.id, pendingSignIn.providerId));
  if (!pendingSignIn || !provider) throw signInOverError();
  const person = await services.providers.finish(provider, pendingSignIn.startedSignIn, { code: body.code, issuer: body.issuer });
  await linkProvider(services.db, toLinkContext(call), person);
  return readProviders(call);
}

/** Links a telephone by the code that was sent to it. */
export async function joinPhone(call: CustomerCall<'joinPhone'>): Answer<'joinPhone'> {
  const { services, body } = call;
  await requireRecentSignIn(call);
  const { number: phone } = await parsePhone(call, body.phone);
  await consumePhoneCode(call, { phone, code: body.code, requestId: body.requestId });
  const person = { issuer: PHONE_ISSUER, subject: phone, email: '', emailVerified: false, name: '' };
  await linkProvider(services.db, toLinkContext(call), person);
  return readProviders(call);
}

/**
 * Unlinks a provider from the account, unless it is the only way in. The customer must have signed
 * in a moment ago.
 */
export async function removeProvider(call: CustomerCall<'removeProvider'>): Answer<'removeProvider'> {
  await requireRecentSignIn(call);
  await removeLinkedProvider(call.services.db, toLinkContext(call), call.body.providerId);
  return readProviders(call);
}
