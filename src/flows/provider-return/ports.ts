import { providerReturnMachine } from '../../../machines/account/provider-return.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import type { AfterSignIn } from '../../../machines/model/route.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { api } from '../../client/open-client.ts';
import { finishProviderSignIn } from '../../client/providers.ts';
import { raise } from '../../client/problem.ts';
import { startSession, thisDevice } from '../../client/start-session.ts';
import { answerInAddress, type ProviderAnswer } from '../../history/answer-in-address.ts';
import { takeBegunSignIn, type BegunSignIn } from '../../storage/begun-sign-in.ts';

const refused = (code: string): never => raise({ kind: 'refused', code, message: '' });

/** The answer that has come back to a sign-in of this tab, until it is finished. */
let taken: { answer: ProviderAnswer; begun: BegunSignIn } | null = null;

export const flow = providerReturnMachine.provide({
  actors: {
    takeAnswer: safePort<AfterSignIn | null>(
      async () => {
        const answer = answerInAddress();
        // Somebody else's answer, slipped to this browser, would sign it in to somebody else's account.
        const begun = takeBegunSignIn(answer.state);
        taken = begun && { answer, begun };
        return begun?.way ?? null;
      },
      () => null,
    ),
    finishSignIn: requestPort<SignedIn>(async ({ signal }) => {
      if (taken === null) return refused('sign_in_over');
      const { answer, begun } = taken;
      taken = null;
      if (answer.error === 'access_denied') return refused('provider_cancelled');
      if (answer.error !== '' || answer.code === '') return refused('provider_refused');
      const session = await finishProviderSignIn(await api(), answer, thisDevice());
      // Who has gone elsewhere in the meantime stays a visitor.
      signal.throwIfAborted();
      return startSession(session, begun.remember);
    }),
  },
});
