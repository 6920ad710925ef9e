import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { sessionMachine } from '../../../machines/app/session.ts';
import { useAppActor } from '../../views/app-actor.ts';

/** The signed-in customer's e-mail address; empty for visitors and accounts without one. */
export const useSignedInEmail = (): string => {
  const app = useAppActor();
  const session = useSelector(app, ({ children }) => children.session as ActorRefFrom<typeof sessionMachine> | undefined);
  return useSelector(session, (snapshot) => snapshot?.context.pii.email ?? '');
};
