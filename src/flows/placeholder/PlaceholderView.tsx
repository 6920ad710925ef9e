import { useLingui } from '@lingui/react';
import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { placeholderMachine } from '../../../machines/browsing/static-pages.ts';
import { Message } from '../../ui/Message.tsx';
import { nameIn } from '../routes.ts';
import { Trans } from '@lingui/react/macro';
import type { StoreProperties } from '../../../machines/model/store.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { SupportMail } from '../../views/SupportMail.tsx';
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
  subscription: (
    <ButtonLink key="subscription" href="/subscription" look="outline">
      <Trans>Subscriptions</Trans>
    </ButtonLink>
  ),
} satisfies Record<string, ReactElement>;

/** What codes are good for in this store. */
const grants = ({ enableWebTitleRedeem, enableWebSubscriptionRedeem }: StoreProperties): ReactElement => {
  if (enableWebTitleRedeem && enableWebSubscriptionRedeem)
    return <Trans>Codes can be redeemed for titles or a subscription.</Trans>;
  if (enableWebTitleRedeem) return <Trans>Codes can be redeemed for titles.</Trans>;
  if (enableWebSubscriptionRedeem) return <Trans>Codes can be redeemed for a subscription.</Trans>;
  return <Trans>This shop doesn’t accept codes.</Trans>;
};

/** What a code is for; one that the address holds is left alone. */
const Redeem = ({ hasCode }: { hasCode: boolean }): ReactElement => {
  const { store } = useBrand();
  return (
    <chakra.div display="grid" gap={3}>
      <p>{grants(store)}</p>
      {hasCode ? (
        <p>
          <Trans>Your code hasn’t been used. Opening this page doesn’t redeem it.</Trans>
        </p>
      ) : null}
      <p>
        <Trans>Have a question about a code?</Trans> <SupportMail />
      </p>
    </chakra.div>
  );
};

/** What an address is for, and where it leads. */
type Placeholder = { text: (about: { hasSecret: boolean }) => ReactElement; links: ReactElement[] };

/** By the name that the address has in the table of routes. */
const placeholders: Record<string, Placeholder> = {
  redeem: { text: ({ hasSecret }) => <Redeem hasCode={hasSecret} />, links: [links.titles, links.subscription, links.library] },
};

type Actor = ActorRefFrom<typeof placeholderMachine>;

const Shown = ({ actor }: { actor: Actor }): ReactElement | null => {
  const { i18n } = useLingui();
  const { page = '', secret } = useSelector(actor, ({ context }) => context.params);
  const placeholder = placeholders[page];
  const name = nameIn(i18n, secret === undefined ? `/${page}` : `/${page}/${secret}`);
  if (placeholder === undefined || name === undefined) return null;
  return (
    <Message level={1} heading={name} actions={placeholder.links}>
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
