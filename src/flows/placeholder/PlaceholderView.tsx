import { useLingui } from '@lingui/react';
import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { Locale } from '../../../machines/model/language.ts';
import type { placeholderMachine } from '../../../machines/browsing/static-pages.ts';
import { Message } from '../../ui/Message.tsx';
import { nameAt } from '../routes.ts';
import { placeholders } from './placeholders.tsx';

type Actor = ActorRefFrom<typeof placeholderMachine>;

const Shown = ({ actor }: { actor: Actor }): ReactElement | null => {
  const { i18n } = useLingui();
  const { page = '', secret } = useSelector(actor, ({ context }) => context.params);
  const placeholder = placeholders[page];
  const name = nameAt(secret === undefined ? `/${page}` : `/${page}/${secret}`);
  if (placeholder === undefined || name === undefined) return null;
  return (
    <Message level={1} heading={name[i18n.locale as Locale]} actions={placeholder.ways}>
      {placeholder.text({ hasSecret: secret !== undefined })}
    </Message>
  );
};

const screens: Record<StateValueFrom<typeof placeholderMachine>, ComponentType<{ actor: Actor }>> = { shown: Shown };

/** What an address is for, and the ways on from it. */
export const PlaceholderView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const Screen = screens[value];
  return (
    <div data-flow="placeholder" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </div>
  );
};
