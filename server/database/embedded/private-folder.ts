import { NodeFS } from '@electric-sql/pglite/nodefs';

type Attributes = { mode?: number };
type Operations = { setattr(target: unknown, attributes: Attributes): void };
type Init = NodeFS['init'];

/** Permission bits of the group and of others. */
const SHARED_BITS = 0o077;

/**
 * A PGlite folder whose files only its user can read. Emscripten's file system sets each created
 * file to the mode that PostgreSQL or initdb's archive names (644, 666) by chmod, which bypasses
 * the umask of the process.
 */
export class PrivateFolder extends NodeFS {
  override async init(pg: Parameters<Init>[0], options: Parameters<Init>[1]): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pg, options);
    const restrict = (module: object): void => {
      const { node_ops: paths, stream_ops: streams } = Reflect.get(module, 'NODEFS') as Record<string, Operations>;
      for (const [name, operations] of Object.entries({ node_ops: paths, stream_ops: streams })) {
        if (!operations) throw new Error(`PGlite’s NODEFS lacks ${name}: other users could read its files.`);
        const { setattr } = operations;
        operations.setattr = (target, attributes) =>
          setattr(target, attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~SHARED_BITS });
      }
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [restrict, ...(emscriptenOpts.preRun ?? [])] } };
  }
}
