/*
 * Perfetto's trace processor outside a browser: node tp.js WEBDIR < requests > replies
 *
 * WEBDIR holds engine_bundle.js, the web worker of the Perfetto UI, and its wasm. The worker
 * takes serialized TraceProcessorRpcStream messages by a MessagePort and answers in kind. Both
 * directions are plain protobuf streams, so cutting and joining them anywhere changes nothing:
 * stdin goes in piece by piece, the pieces that come back go to stdout.
 */
'use strict';
const fs = require('fs');
const path = require('path');

const host = process;
const webdir = host.argv[2];
const PIECE = 16 << 20;
let done = false;

function read(url)
{
	return fs.readFileSync(path.join(webdir, path.basename(String(url))));
}

function write(bytes)
{
	for (let at = 0; at < bytes.length;) {
		try {
			at += fs.writeSync(1, bytes, at);
		} catch (e) {
			if (e.code !== 'EAGAIN')
				throw e;
		}
	}
}

/* The surroundings of a web worker, as far as the bundle looks at them. */
function become_worker()
{
	globalThis.self = globalThis;
	globalThis.location = { href: 'file:///engine_bundle.js' };
	globalThis.WorkerGlobalScope = function WorkerGlobalScope() {};
	globalThis.importScripts = () => {};
	/* The wasm is fetched and compiled at once, without waiting. */
	globalThis.XMLHttpRequest = class {
		open(method, url) { this.url = url; }
		setRequestHeader() {}
		send()
		{
			const bytes = read(this.url);

			this.status = 200;
			this.response = bytes.buffer.slice(bytes.byteOffset,
							   bytes.byteOffset + bytes.length);
		}
	};
	/* stdout belongs to the replies. */
	console.log = console.info = console.debug = console.error;
}

/*
 * The bundle has no event for "ready". It is when it has called trace_processor_rpc_init, so
 * that export is wrapped where the bundle gets the exports from.
 */
function when_initialized(ready)
{
	const { Instance } = WebAssembly;

	WebAssembly.Instance = function (module, imports) {
		const { exports } = new Instance(module, imports);

		function trace_processor_rpc_init(...words)
		{
			const result = exports.trace_processor_rpc_init(...words);

			/* After the caller has stored what it got. */
			setImmediate(ready);
			return result;
		}
		return { exports: { ...exports, trace_processor_rpc_init } };
	};
}

function serve()
{
	const port = { postMessage: bytes => write(new Uint8Array(bytes)) };
	const piece = Buffer.alloc(PIECE);
	let n;

	self.onmessage({ data: port });
	while ((n = fs.readSync(0, piece, 0, PIECE, null)) > 0)
		port.onmessage({ data: new Uint8Array(piece.subarray(0, n)) });
	done = true;
	host.exit(0);
}

host.on('exit', code => {
	if (!done && code === 0) {
		console.error('tp.js: the engine never became ready');
		host.exitCode = 1;
	}
});

/* node's own report would quote the line, and the bundle is one line. */
host.on('uncaughtException', e => {
	console.error(e.stack || e);
	host.exit(1);
});

become_worker();
when_initialized(serve);
/* Without these names the bundle does not take itself for a node program. */
new Function('process', 'require', 'module', 'exports', read('engine_bundle.js').toString())();
