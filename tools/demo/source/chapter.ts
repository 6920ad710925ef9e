export interface Chapter {
  title: string;
  markdown: string;
  /** The part that begins with this chapter. */
  part?: string;
}
