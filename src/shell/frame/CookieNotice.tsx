import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { frameMachine } from '../../../machines/app/frame.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { OuterLink } from '../../ui/TextLink.tsx';

const Notice = chakra('section', {
  base: {
    position: 'sticky',
    bottom: 0,
    zIndex: 4,
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'center',
    columnGap: 6,
    rowGap: 3,
    px: 4,
    py: 3,
    bg: 'surface',
    color: 'ink',
    borderTop: '1px solid',
    borderColor: 'lineStrong',
    boxShadow: 'coverRaised',
  },
});

/** Informs about the data that the store keeps in this browser, until the customer agrees. */
export const CookieNotice = ({ frame }: { frame: ActorRefFrom<typeof frameMachine> }): ReactElement | null => {
  const { t } = useLingui();
  const { cookieConsentUrl } = useBrand().store;
  const isNoticed = useSelector(frame, (snapshot) => snapshot.matches({ cookies: 'noticed' }));
  if (!isNoticed) return null;
  return (
    <Notice aria-label={t`Cookies`}>
      {/* Focused elements are scrolled to above the notice, not below it. */}
      <style>{'html{scroll-padding-bottom:13rem}'}</style>
      <chakra.p maxWidth="44rem">
        <Trans>This shop uses your browser’s storage to remember your sign-in, your language and your place in each book.</Trans>{' '}
        {cookieConsentUrl === '' ? null : (
          <OuterLink href={cookieConsentUrl} rel="noopener">
            <Trans>Read more</Trans>
          </OuterLink>
        )}
      </chakra.p>
      <EventButton actor={frame} event={{ type: 'consent.given' }} size="sm">
        <Trans>Got it</Trans>
      </EventButton>
    </Notice>
  );
};
