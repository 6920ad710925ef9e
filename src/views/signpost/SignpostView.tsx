import { useLingui } from '@lingui/react';
import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { signpostMachine } from '../../../machines/still.ts';
import { Message } from '../../ui/Message.tsx';
import { signNames } from './sign-names.ts';
import { signs } from './signs.tsx';

type Actor = ActorRefFrom<typeof signpostMachine>;

const Shown = ({ actor }: { actor: Actor }): ReactElement | null => {
  const { i18n } = useLingui();
  const { page = '', secret } = useSelector(actor, ({ context }) => context.params);
  const sign = signs[page];
  const name = signNames[page];
  if (sign === undefined || name === undefined) return null;
  return (
    <Message level={1} heading={i18n._(name)} actions={sign.ways}>
      {sign.text({ hasSecret: secret !== undefined })}
    </Message>
  );
};

const screens: Record<StateValueFrom<typeof signpostMachine>, ComponentType<{ actor: Actor }>> = { shown: Shown };

/** What an address is for, and the ways on from it. */
export const SignpostView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const Screen = screens[value];
  return (
    <div data-flow="signpost" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </div>
  );
};
