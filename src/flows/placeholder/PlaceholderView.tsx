import { useLingui } from '@lingui/react';
import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { placeholderMachine } from '../../../machines/browsing/static-pages.ts';
import { Message } from '../../ui/Message.tsx';
import { nameIn } from '../routes.ts';
import { Trans } from '@lingui/react/macro';
import { ButtonLink } from '../../ui/Button.tsx';

/** Links that lead on; the first of a page is the one that most will want. */
const links = {
  titles: (
    <ButtonLink key="titles" href="/all">
      <Trans>See all titles</Trans>
    </ButtonLink>
  ),
  library: (
    <ButtonLink key="library" href="/mylibrary" look="outline">
      <Trans>My Library</Trans>
    </ButtonLink>
  ),
  account: (
    <ButtonLink key="account" href="/account">
      <Trans>Account</Trans>
    </ButtonLink>
  ),
} satisfies Record<string, ReactElement>;

/** What an address is for, and where it leads. */
type Placeholder = { text: ReactElement; links: ReactElement[] };

const cart: Placeholder = {
  text: <Trans>Your cart is empty. You can buy each title on its own page.</Trans>,
  links: [links.titles, links.library],
};

/** By the name that the address has in the table of routes. */
const placeholders: Record<string, Placeholder> = {
  purchase: cart,
  'cart/checkout': cart,
  'cart/purchase/success': {
    text: <Trans>Everything you’ve bought is in your library. Your account shows when you bought it and what you paid.</Trans>,
    links: [links.account, links.library],
  },
};

type Actor = ActorRefFrom<typeof placeholderMachine>;

const Shown = ({ actor }: { actor: Actor }): ReactElement | null => {
  const { i18n } = useLingui();
  const { page = '' } = useSelector(actor, ({ context }) => context.params);
  const placeholder = placeholders[page];
  const name = nameIn(i18n, `/${page}`);
  if (placeholder === undefined || name === undefined) return null;
  return (
    <Message level={1} heading={name} actions={placeholder.links}>
      {placeholder.text}
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
