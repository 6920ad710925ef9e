import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { searchBoxMachine, Suggestion } from '../../../machines/app/search-box.ts';
import type { Medium } from '../../../machines/model/catalogue/title.ts';
import { joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';

const List = chakra('ul', {
  base: {
    position: 'absolute',
    zIndex: 6,
    top: 'calc(100% + 4px)',
    left: 0,
    right: 0,
    py: 2,
    bg: 'surface',
    color: 'ink',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'md',
    boxShadow: 'coverRaised',
    maxHeight: '60dvh',
    overflowY: 'auto',
    listStyleType: 'none',
  },
});

const Option = chakra('li', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: 3,
    px: 4,
    py: 2,
    cursor: 'pointer',
    _hover: { bg: 'accentSoft' },
    '&[aria-selected=true]': { bg: 'accentSoft', color: 'accentInk', boxShadow: 'inset 3px 0' },
  },
});

const Picture = chakra('span', {
  base: {
    flex: 'none',
    width: 8,
    height: 12,
    bg: 'accentSoft',
    borderRadius: 'sm',
    overflow: 'hidden',
    '& img': { width: '100%', height: '100%', objectFit: 'cover' },
  },
});

/** The title's cover or its placeholder, so that names are aligned either way. */
const Cover = ({ url }: { url: string }): ReactElement => (
  <Picture>{url === '' ? null : <img src={url} alt="" width={32} height={48} decoding="async" />}</Picture>
);

/**
 * Suggestions for the typed text, with the one marked that the arrow keys have reached.
 */
export const Suggestions = ({
  searchBox,
  id,
}: {
  searchBox: ActorRefFrom<typeof searchBoxMachine>;
  id: string;
}): ReactElement | null => {
  const { t, i18n } = useLingui();
  const { suggestions, active } = useSelector(searchBox, ({ context }) => context);
  const isOffering = useSelector(searchBox, (snapshot) => snapshot.matches('offering'));
  if (!isOffering) return null;
  const kinds: Record<Suggestion['kind'], string> = { category: t`Category`, author: t`Author`, title: '' };
  const media: Record<Medium, string> = {
    epub: t`eBook`,
    pdf: t`eBook`,
    audio: t`Audiobook`,
    video: t`Video`,
    interactive: t`Interactive`,
  };
  const getKindName = ({ kind, title }: Suggestion): string => (title?.medium ? media[title.medium] : kinds[kind]);
  return (
    <List role="listbox" id={id} aria-label={t`Suggestions`}>
      {suggestions.map((suggestion, index) => {
        const { text, path, title } = suggestion;
        const kind = getKindName(suggestion);
        const authors = joinNames(title?.authors ?? [], i18n.locale);
        return (
          <Option
            key={path}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === active}
            data-event="suggestion.chosen"
            // The field keeps the focus, so that it does not blur before the press is handled.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => searchBox.send({ type: 'suggestion.chosen', path })}
          >
            {title === null ? null : <Cover url={title.coverUrl} />}
            <chakra.span flex="1" minWidth={0} overflowWrap="anywhere">
              {text}
              {authors === '' ? null : (
                <chakra.span display="block" color="inkMuted" fontSize="sm">
                  {authors}
                </chakra.span>
              )}
            </chakra.span>
            {kind === '' ? null : (
              <chakra.span color="inkMuted" fontSize="sm" whiteSpace="nowrap">
                {kind}
              </chakra.span>
            )}
          </Option>
        );
      })}
    </List>
  );
};
