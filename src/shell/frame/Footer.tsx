import { Trans, useLingui } from '@lingui/react/macro';
import { memo, type ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { OuterLink, TextLink } from '../../ui/TextLink.tsx';
import { LanguageSelect } from '../../views/LanguageSelect.tsx';
import { HelpLink } from './HelpLink.tsx';
import { storeSites } from './store-sites.ts';

const inFoot = {
  look: 'bar',
  display: 'inline-block',
  py: 1,
} as const;

const Row = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: 8,
    rowGap: 4,
    width: '100%',
    maxWidth: '96rem',
    mx: 'auto',
    px: { base: 4, md: 8 },
  },
});

/** The foot of the shop: the store's pages and sites, and the language. */
export const Footer = memo((): ReactElement => {
  const { t } = useLingui();
  const { name, supportEmail, showsBrandLine, store } = useBrand();
  return (
    <>
      <Row>
        <chakra.p fontFamily="display" fontSize="xl" fontWeight={600} minWidth={0} overflowWrap="anywhere">
          {name}
        </chakra.p>
        <chakra.nav aria-label={t`About the shop`} display="flex" flexWrap="wrap" columnGap={6} rowGap={1}>
          <TextLink href="/about" {...inFoot}>
            <Trans>About</Trans>
          </TextLink>
          <HelpLink {...inFoot} />
          <TextLink href="/terms" {...inFoot}>
            <Trans>Terms</Trans>
          </TextLink>
          <TextLink href="/privacy" {...inFoot}>
            <Trans>Privacy</Trans>
          </TextLink>
          {storeSites(store).map(({ url, text }) => (
            <OuterLink key={url} href={url} rel="noopener" {...inFoot}>
              {text}
            </OuterLink>
          ))}
          {supportEmail === '' ? null : (
            <OuterLink href={`mailto:${supportEmail}`} {...inFoot}>
              {supportEmail}
            </OuterLink>
          )}
        </chakra.nav>
      </Row>
      <Row fontSize="sm">
        <LanguageSelect />
        {showsBrandLine ? (
          <p>
            <Trans>Powered by Colophon</Trans>
          </p>
        ) : null}
      </Row>
    </>
  );
});
