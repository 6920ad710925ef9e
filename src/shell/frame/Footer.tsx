import { Trans, useLingui } from '@lingui/react/macro';
import { memo, type ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { OuterLink, TextLink } from '../../ui/TextLink.tsx';
import { LanguageSelect } from '../../views/LanguageSelect.tsx';
import { HelpLink } from './HelpLink.tsx';
import { getStoreSites } from './store-sites.ts';

const footerLinkStyle = {
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

/** The footer: the store's pages and sites, and the language. */
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
          <TextLink href="/about" {...footerLinkStyle}>
            <Trans>About</Trans>
          </TextLink>
          <HelpLink {...footerLinkStyle} />
          <TextLink href="/terms" {...footerLinkStyle}>
            <Trans>Terms</Trans>
          </TextLink>
          <TextLink href="/privacy" {...footerLinkStyle}>
            <Trans>Privacy</Trans>
          </TextLink>
          {getStoreSites(store).map(({ url, text }) => (
            <OuterLink key={url} href={url} rel="noopener" {...footerLinkStyle}>
              {text}
            </OuterLink>
          ))}
          {supportEmail === '' ? null : (
            <OuterLink href={`mailto:${supportEmail}`} {...footerLinkStyle}>
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
