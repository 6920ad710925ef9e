import { use, type ReactElement } from 'react';
import { chakra } from './chakra.ts';
import { PicturePreloads } from './picture-preloads.ts';

/**
 * Sizes in pixels; the picture of `url` is also available in each of the `widths`; `color` is shown
 * while it loads.
 */
export type CoverPicture = {
  url: string;
  smallUrl: string;
  widths?: number[] | undefined;
  width: number;
  height: number;
  color: string;
};

type CoverProps = {
  /** Null renders a plain book cover with the name on it. */
  cover: CoverPicture | null;
  name: string;
  /** Alternative text where the cover is alone; empty beside the title's written name. */
  alt?: string;
  /** `first` loads with high priority, `lazy` shortly before it is visible. */
  priority?: 'first' | 'eager' | 'lazy';
  /** The `sizes` attribute of the cover's picture. */
  sizes?: string;
};

const frameStyle = {
  display: 'block',
  width: '100%',
  height: 'auto',
  borderRadius: 'sm',
  boxShadow: 'cover',
} as const;

const Picture = chakra('img', { base: { ...frameStyle, objectFit: 'cover' } });
const Binding = chakra('span', {
  base: {
    ...frameStyle,
    display: 'grid',
    alignContent: 'center',
    aspectRatio: '2 / 3',
    p: 4,
    bg: 'accentSoft',
    color: 'accentInk',
    fontFamily: 'display',
    fontSize: 'lg',
    lineHeight: 1.2,
    textAlign: 'center',
    overflow: 'hidden',
  },
});

/** A title's cover, with its own aspect ratio from the first paint on. */
export const Cover = ({ cover, name, alt = '', priority = 'lazy', sizes = '240px' }: CoverProps): ReactElement => {
  const preload = use(PicturePreloads);
  if (cover === null) return <Binding aria-hidden={alt === '' ? true : undefined}>{name}</Binding>;
  const src = cover.smallUrl;
  const srcSet =
    cover.widths?.map((width) => `${cover.url}?width=${width} ${width}w`).join() || `${src} 240w, ${cover.url} ${cover.width}w`;
  if (priority === 'first') preload?.({ src, srcSet, sizes });
  return (
    <Picture
      src={src}
      srcSet={srcSet}
      sizes={sizes}
      alt={alt}
      htmlWidth={cover.width}
      htmlHeight={cover.height}
      loading={priority === 'lazy' ? 'lazy' : 'eager'}
      fetchPriority={priority === 'first' ? 'high' : 'auto'}
      // Decoded synchronously, the largest cover is in the first frame if it has loaded by then.
      decoding={priority === 'first' ? 'sync' : 'async'}
      style={{ aspectRatio: `${cover.width} / ${cover.height}`, backgroundColor: cover.color || '#fff' }}
    />
  );
};
