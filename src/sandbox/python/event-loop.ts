/**
 * Python: an event loop for functions such as `asyncio.run`. Pyodide's own event loop needs a JavaScript engine that
 * can suspend WebAssembly, which Node 20 lacks. In the sandbox only timers are waited for.
 */
export const EVENT_LOOP = String.raw`
import asyncio as _asyncio, heapq as _heapq, time as _time, itertools as _itertools

class _Loop(_asyncio.AbstractEventLoop):
    def __init__(self):
        self._ready, self._timers, self._order = [], [], _itertools.count()
        self._running = self._closed = self._stopping = False
        self._factory, self._failure = None, None
    def time(self): return _time.monotonic()
    def get_debug(self): return False
    def set_debug(self, enabled): pass
    def is_running(self): return self._running
    def is_closed(self): return self._closed
    def close(self): self._closed = True
    def stop(self): self._stopping = True
    def call_soon(self, callback, *args, context=None):
        handle = _asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle
    call_soon_threadsafe = call_soon
    def call_later(self, delay, callback, *args, context=None):
        return self.call_at(self.time() + delay, callback, *args, context=context)
    def call_at(self, when, callback, *args, context=None):
        handle = _asyncio.TimerHandle(when, callback, args, self, context)
        _heapq.heappush(self._timers, (when, next(self._order), handle))
        return handle
    def _timer_handle_cancelled(self, handle): pass
    def create_future(self): return _asyncio.Future(loop=self)
    def create_task(self, coroutine, **options):
        if self._factory is not None:
            return self._factory(self, coroutine, **options)
        return _asyncio.Task(coroutine, loop=self, **options)
    def set_task_factory(self, factory): self._factory = factory
    def get_task_factory(self): return self._factory
    def get_exception_handler(self): return None
    def set_exception_handler(self, handler): pass
    def call_exception_handler(self, context): self.default_exception_handler(context)
    def default_exception_handler(self, context): self._failure = context
    def run_in_executor(self, executor, function, *args):
        future = self.create_future()
        try:
            future.set_result(function(*args))
        except Exception as error:
            future.set_exception(error)
        return future
    async def shutdown_asyncgens(self): pass
    async def shutdown_default_executor(self, timeout=None): pass
    def run_forever(self):
        before = _asyncio._get_running_loop()
        self._running = True
        _asyncio._set_running_loop(self)
        try:
            while not self._stopping:
                self._turn()
        finally:
            self._running = self._stopping = False
            _asyncio._set_running_loop(before)
    def _turn(self):
        if not self._ready and not self._timers:
            raise RuntimeError('The program waits for something that can never happen.')
        if not self._ready:
            _time.sleep(max(0, self._timers[0][0] - self.time()))
        now = self.time()
        while self._timers and self._timers[0][0] <= now:
            self._ready.append(_heapq.heappop(self._timers)[2])
        due, self._ready = self._ready, []
        for handle in due:
            if not handle.cancelled():
                handle._run()
    def run_until_complete(self, awaitable):
        task = _asyncio.ensure_future(awaitable, loop=self)
        task.add_done_callback(lambda _: self.stop())
        self.run_forever()
        return task.result()

class _LoopPolicy(_asyncio.events._AbstractEventLoopPolicy):
    _loop = None
    def get_event_loop(self):
        if self._loop is None:
            self._loop = _Loop()
        return self._loop
    def set_event_loop(self, loop): self._loop = loop
    def new_event_loop(self): return _Loop()

def _run_coroutine(main, *, debug=None, loop_factory=None):
    if _asyncio._get_running_loop() is not None:
        raise RuntimeError('asyncio.run() cannot be called from a running event loop')
    return _Loop().run_until_complete(main)

def _install_event_loop():
    _asyncio._set_running_loop(None)
    _asyncio.run = _asyncio.runners.run = _run_coroutine
    _asyncio.new_event_loop = _asyncio.events.new_event_loop = _Loop
    _asyncio.events._set_event_loop_policy(_LoopPolicy())
`
